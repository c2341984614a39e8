package symbols

import _ "embed" // for the export data

//go:embed data/export_std_linux_arm64.zip
var exportPlatformStd []byte

//go:embed data/export_course_linux_arm64.zip
var exportPlatformCourse []byte
