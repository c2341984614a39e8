package grading

import (
	"strings"
	"testing"
	"unicode/utf16"
)

const sampleGrades = "student,points,of,by hand,seconds,notes,f,why\n" +
	"alee,9.5,12,0,1.0,,8.5,1\n\"Bo, Ng\",12,12,0,1.0,,11,1\ncy_LATE_303_9_hw,4,12,1,1.0,,4,\nbroken,0,,,,no notebook,,\nnobody,3,12,0,1.0,,3,0\n"

// TestGradebooks fills gradebooks in the formats of the systems' exports. The import of Canvas
// needs the identifying columns and, for a new assignment, the line Points Possible. Blackboard
// needs Username and the ID in the title of the column. The worksheet of Moodle keeps all columns.
func TestGradebooks(t *testing.T) {
	wide := func(s string) string {
		b := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(s)) {
			b = append(b, byte(u), byte(u>>8))
		}
		return string(b)
	}
	const canvas = "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Old (1),Trees (77),Final Score\n,,,,,Manual Posting,,\n    Points Possible,,,,,5,12,(read only)\n" +
		"\"Lee, Ann\",101,s1,alee,A,5,,50\n\"Ng, Bo\",202,s2,bng,A,4,,40\n\"Cox, Cy\",303,s3,ccox,B,3,,30\n\"Dow, Di\",404,s4,ddow,B,2,,20\n"
	for _, tt := range []struct {
		name, roster, title string
		scale               bool
		format              Format
		column, want        string
	}{
		{"canvas", canvas, "Trees", false, Canvas, "Trees (77)", "Student,ID,SIS User ID,SIS Login ID,Section,Trees (77)\n\"    Points Possible\",,,,,12\n" +
			"\"Lee, Ann\",101,s1,alee,A,9.5\n\"Ng, Bo\",202,s2,bng,A,12\n\"Cox, Cy\",303,s3,ccox,B,4\n\"Dow, Di\",404,s4,ddow,B,\n"},
		{"canvas, a new assignment", canvas, "Rules", false, Canvas, "Rules", "Student,ID,SIS User ID,SIS Login ID,Section,Rules\n\"    Points Possible\",,,,,12\n" +
			"\"Lee, Ann\",101,s1,alee,A,9.5\n\"Ng, Bo\",202,s2,bng,A,12\n\"Cox, Cy\",303,s3,ccox,B,4\n\"Dow, Di\",404,s4,ddow,B,\n"},
		{"canvas, another maximum", canvas, "Old", true, Canvas, "Old (1)", "Student,ID,SIS User ID,SIS Login ID,Section,Old (1)\n\"    Points Possible\",,,,,5\n" +
			"\"Lee, Ann\",101,s1,alee,A,3.958333\n\"Ng, Bo\",202,s2,bng,A,5\n\"Cox, Cy\",303,s3,ccox,B,1.666667\n\"Dow, Di\",404,s4,ddow,B,\n"},
		{"moodle worksheet", "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Feedback comments\"\n" +
			"Participant 1,\"Ann Lee\",alee@u.edu,Submitted,,12.00,\nParticipant 2,\"Bo Ng\",bng@u.edu,Submitted,3.00,12.00,\nParticipant 3,\"Di Dow\",d@u.edu,,7.00,12.00,old\n",
			"Trees", false, Worksheet, "Grade", "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments\n" +
				"Participant 1,Ann Lee,alee@u.edu,Submitted,9.5,12.00,\nParticipant 2,Bo Ng,bng@u.edu,Submitted,12,12.00,\nParticipant 3,Di Dow,d@u.edu,,7.00,12.00,old\n"},
		{"moodle", "First name,Last name,ID number,Email address,Assignment: Trees (Real),Course total (Real)\nAnn,Lee,7,alee@u.edu,-,-\nBo,Ng,8,bng@u.edu,-,-\n",
			"Trees", false, Moodle, "Assignment: Trees (Real)", "First name,Last name,ID number,Email address,Assignment: Trees (Real)\nAnn,Lee,7,alee@u.edu,9.5\nBo,Ng,8,bng@u.edu,12\n"},
		{"blackboard", "\"Last Name\",\"First Name\",\"Username\",\"Student ID\",\"Last Access\",\"Trees [Total Pts: 12 Score] |555\"\n\"Lee\",\"Ann\",\"alee\",\"1\",\"\",\"\"\n\"Ng\",\"Bo\",\"bng\",\"2\",\"\",\"\"\n",
			"Trees", false, Blackboard, "Trees [Total Pts: 12 Score] |555", "\"Last Name\",\"First Name\",\"Username\",\"Student ID\",\"Trees [Total Pts: 12 Score] |555\"\r\n\"Lee\",\"Ann\",\"alee\",\"1\",\"9.5\"\r\n\"Ng\",\"Bo\",\"bng\",\"2\",\"12\"\r\n"},
		{"blackboard, tabs", wide("\"Last Name\"\t\"First Name\"\t\"Username\"\n\"Lée\"\t\"Ann\"\t\"alee\"\n"), "Rules", false, Blackboard, "Rules [Total Pts: 12 Score]",
			wide("\"Last Name\"\t\"First Name\"\t\"Username\"\t\"Rules [Total Pts: 12 Score]\"\r\n\"Lée\"\t\"Ann\"\t\"alee\"\t\"9.5\"\r\n")},
	} {
		grades, err := ReadMarks(strings.NewReader(sampleGrades))
		if err != nil {
			t.Fatal(err)
		}
		r, err := ReadRoster([]byte(tt.roster))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		f, err := r.Fill(grades, tt.title, tt.scale)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if r.Format != tt.format || f.Column != tt.column || string(f.Content) != tt.want {
			t.Errorf("%s: %s, column %s\n%s\nwant\n%s", tt.name, r.Format, f.Column, f.Content, tt.want)
		}
		notes := strings.Join(f.Notes, "\n")
		for _, want := range []string{"broken was not graded: no notebook", "nobody is not in the gradebook", "cy_LATE_303_9_hw still lacks a mark by hand for 1 point"} {
			if !strings.Contains(notes, want) {
				t.Errorf("%s: the notes lack %q:\n%s", tt.name, want, notes)
			}
		}
	}
}

func TestGradebookErrors(t *testing.T) {
	grades := func(text string) *Marks {
		m, err := ReadMarks(strings.NewReader("student,points,of,by hand,seconds,notes\n" + text))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	const canvas = "Student,ID,SIS Login ID,Section,Trees (77)\n    Points Possible,,,,10\n\"Lee, Ann\",101,alee,A,\n\"Lee, Ann\",102,blee,A,\n"
	for _, tt := range []struct{ grades, roster, want string }{
		{"alee,1,12,0,1,\n", canvas, `a maximum of 10 points for "Trees (77)", the homework has 12: change the maximum in the gradebook, or pass --scale`},
		{"alee,1,10,0,1,\n101,2,10,0,1,\n", canvas, "two submissions belong to the same line"},
		{"x,1,10,0,1,\n", canvas, "no student of the table of grades is in the gradebook"},
		{"alee,1,10,0,1,\n", "a,b\n1,2\n", "it must be a gradebook that Canvas, Moodle or Blackboard has exported, got the columns a, b"},
		{"alee,1,10,0,1,\n", "", "the gradebook is empty"},
	} {
		r, err := ReadRoster([]byte(tt.roster))
		if err == nil {
			_, err = r.Fill(grades(tt.grades), "Trees", false)
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
	r, err := ReadRoster([]byte(canvas))
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Fill(grades("alee,1,10,0,1,\nAnn Lee,2,10,0,1,\n"), "Trees", false)
	if err != nil || len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "Ann Lee matches 2 lines of the gradebook") {
		t.Errorf("%v: %q", err, f.Notes)
	}
	for student, want := range map[string]int{
		"leeann_LATE_101_55_hw": 0, "leeann_102_55_hw": 1, "HW1_blee_attempt_2026-11-01-10-00-00_hw": 1,
	} {
		roster := canvas
		if strings.Contains(student, "attempt") {
			roster = "Last Name,First Name,Username\nLee,Ann,alee\nLee,Ann,blee\n"
		}
		if r, err = ReadRoster([]byte(roster)); err != nil {
			t.Fatal(err)
		}
		if got, err := r.find(student); err != nil || got != want {
			t.Errorf("%s: line %d, want %d (%v)", student, got, want, err)
		}
	}
	if r, err = ReadRoster([]byte("Identifier,Full name,Grade,Maximum Grade\nParticipant 7,Ann Lee,,12\nParticipant 8,Ann Lee,,12\n")); err != nil {
		t.Fatal(err)
	}
	if got, err := r.find("Ann Lee_8_assignsubmission_file_"); err != nil || got != 1 {
		t.Errorf("line %d (%v)", got, err)
	}
}
