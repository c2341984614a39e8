//go:build !js

package spark

import (
	"net"
	"os"
	"os/user"
	"strings"

	"github.com/gokernel/gokernel/mlstd/model"
)

// TokenVariable is the environment variable of the token with which a server identifies the user.
const TokenVariable = "SPARK_CONNECT_AUTHENTICATE_TOKEN"

// defaultPort is the port of Spark Connect.
const defaultPort = "15002"

// address is a parsed address, sc://HOST:PORT/;KEY=VALUE;KEY=VALUE.
type address struct {
	host    string // with the port
	name    string // without the port
	tls     bool
	user    string
	session string
	headers map[string]string
	shown   string // without the token
}

// parse reads an address. It accepts the parameters of Spark's own clients. Other parameters become
// headers of each call.
func parse(text string) (*address, error) {
	host, rest, _ := strings.Cut(strings.TrimPrefix(text, "sc://"), "/")
	a := &address{host: host, headers: map[string]string{}, shown: "sc://" + host}
	if strings.ContainsAny(host, "@?;") || host == "" {
		return nil, model.Errorf("Connect", "the address must be like sc://HOST:%s/;use_ssl=true, got %q", defaultPort, "sc://...")
	}
	if _, port, err := net.SplitHostPort(host); err != nil || port == "" {
		a.host = net.JoinHostPort(strings.Trim(strings.TrimSuffix(host, ":"), "[]"), defaultPort)
	}
	a.name, _, _ = net.SplitHostPort(a.host) // which JoinHostPort or the check above made
	token := os.Getenv(TokenVariable)
	for _, pair := range strings.Split(strings.TrimPrefix(rest, ";"), ";") {
		key, value, ok := strings.Cut(pair, "=")
		switch {
		case pair == "":
			continue
		case !ok || key == "":
			return nil, model.Errorf("Connect", "the parameters after / must be like ;use_ssl=true;user_id=me, got %q", key)
		case key == "token":
			if !fromEnvironment(text, value) {
				return nil, model.Errorf("Connect", "the address must not have a token, which would be saved with the notebook").
					WithHint("set the environment variable %s, and leave ;token=... out", TokenVariable)
			}
			token = value
			continue
		case key == "use_ssl":
			a.tls = strings.EqualFold(value, "true")
		case key == "user_id":
			a.user = value
		case key == "session_id":
			a.session = value
		case key == "user_agent":
		default:
			a.headers[key] = value
		}
		a.shown += ";" + pair
	}
	if i := strings.Index(a.shown, ";"); i >= 0 {
		a.shown = a.shown[:i] + "/" + a.shown[i:]
	}
	if token != "" {
		a.headers["authorization"] = "Bearer " + token
		a.tls = a.tls || a.name != "localhost" && a.name != "127.0.0.1"
	}
	if a.user == "" {
		a.user = "gokernel"
		if u, err := user.Current(); err == nil {
			a.user = u.Username
		}
	}
	return a, nil
}

// fromEnvironment reports whether an environment variable holds the address or the token.
func fromEnvironment(address, token string) bool {
	for _, pair := range os.Environ() {
		if _, value, _ := strings.Cut(pair, "="); value == token || strings.Contains(value, address) {
			return true
		}
	}
	return false
}
