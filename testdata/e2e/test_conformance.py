"""Jupyter's own conformance tests, every one of them."""

import jupyter_kernel_test as jkt


class TestKernel(jkt.KernelTests):
    kernel_name = "gokernel"
    language_name = "go"
    file_extension = ".go"
    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'fmt.Fprintln(os.Stderr, "to the error stream")'
    completion_samples = [
        {"text": "strings.ToTit", "matches": {"ToTitle", "ToTitleSpecial"}},
    ]
    complete_code_samples = ["1 + 1", "func f() int { return 1 }", "for i := range 3 {\n\tfmt.Println(i)\n}", "// a comment"]
    incomplete_code_samples = ["func f() int {", "x := []int{1,", "s := `raw"]
    invalid_code_samples = ["x := )", "for {}}", "if ; ; {}"]
    code_page_something = "fmt.Println?"
    code_generate_error = 'panic("on purpose")'
    code_execute_result = [
        {"code": "6 * 7", "result": "42"},
        {"code": "3.5 + 1", "result": "4.5"},
        {"code": "len(`abc`) == 3", "result": "true"},
    ]
    code_display_data = [
        {"code": "Show(HTML(`<b>bold</b>`))", "mime": "text/html"},
        {"code": "Show(Math(`x^2`))", "mime": "text/latex"},
    ]
    code_history_pattern = "6 [*]*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "fmt.Println"
    code_clear_output = "Clear()"


class TestWelcome(jkt.IopubWelcomeTests):
    kernel_name = "gokernel"
    support_iopub_welcome = True


def test_nothing_is_missing():
    """An attribute that is empty would skip its test; so would a new test."""
    names = [n for n in dir(jkt.KernelTests) if n.startswith("test_")]
    assert len(names) == 12
    empty = [a for a in vars(jkt.KernelTests) if a.startswith(("code_", "completion_", "complete_", "incomplete_", "invalid_", "supported_")) and not getattr(TestKernel, a)]
    assert empty == []
