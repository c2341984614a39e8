package pipeline

// setting is a GODEBUG setting.
type setting struct {
	changed int    // the minor version of Go that changed the default, or 0 if none did
	old     string // the value for the behavior before the change
	fixed   bool   // it takes effect when a program starts, so cells can't change it
	own     bool   // the kernel itself depends on it
}

// defaults contains the settings whose defaults have changed, and others without a counter in Go,
// according to https://go.dev/doc/godebug. It omits settings of the go command.
var defaults = map[string]setting{
	"asynctimerchan":              {changed: 23, old: "1"},
	"containermaxprocs":           {changed: 25, old: "0", fixed: true},
	"cryptocustomrand":            {changed: 26, old: "1"},
	"dataindependenttiming":       {},
	"decoratemappings":            {changed: 25, old: "0", fixed: true},
	"fips140":                     {fixed: true},
	"gotypesalias":                {changed: 23, old: "0", own: true},
	"http2debug":                  {fixed: true},
	"httpcookiemaxnum":            {changed: 24, old: "0"},
	"httplaxcontentlength":        {changed: 22, old: "1"},
	"httpmuxgo121":                {changed: 22, old: "1"},
	"httpservecontentkeepheaders": {changed: 23, old: "1"},
	"httpservecontentmaxranges":   {changed: 26, old: "1"},
	"jstmpllitinterp":             {},
	"multipathtcp":                {changed: 24, old: "0"},
	"netdns":                      {},
	"netedns0":                    {changed: 19, old: "0"},
	"panicnil":                    {changed: 21, old: "1"},
	"randseednop":                 {changed: 24, old: "0"},
	"rsa1024min":                  {changed: 24, old: "0"},
	"tls10server":                 {changed: 22, old: "1"},
	"tls3des":                     {changed: 23, old: "1"},
	"tlsmlkem":                    {changed: 24, old: "0"},
	"tlsrsakex":                   {changed: 22, old: "1"},
	"tlssecpmlkem":                {changed: 26, old: "0"},
	"tlssha1":                     {changed: 25, old: "1"},
	"tlsunsafeekm":                {changed: 22, old: "1"},
	"tracebacklabels":             {changed: 27, old: "0", fixed: true},
	"updatemaxprocs":              {changed: 25, old: "0", fixed: true},
	"urlmaxqueryparams":           {changed: 24, old: "0"},
	"urlstrictcolons":             {changed: 26, old: "0"},
	"winreadlinkvolume":           {changed: 23, old: "0"},
	"winsymlink":                  {changed: 23, old: "0"},
	"x509keypairleaf":             {changed: 23, old: "0"},
	"x509negativeserial":          {changed: 23, old: "1"},
	"x509rsacrt":                  {changed: 24, old: "0"},
	"x509sha256skid":              {changed: 25, old: "0"},
	"x509sslcertoverrideplatform": {changed: 27, old: "0"},
	"x509usepolicies":             {changed: 24, old: "0"},
}
