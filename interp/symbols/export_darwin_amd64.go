package symbols

import _ "embed" // for the export data

//go:embed data/export_std_darwin_amd64.zip
var exportPlatformStd []byte

//go:embed data/export_course_darwin_amd64.zip
var exportPlatformCourse []byte
