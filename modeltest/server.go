package modeltest

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A Server is an HTTP server on the loopback interface that speaks model
// providers' APIs and fails as it is told to: a program under test talks to it
// with the SDK that it talks to the provider with. The path of a POST, whatever
// its prefix, says which API is asked:
//
//	…/chat/completions                  OpenAI Chat Completions
//	…/responses                         OpenAI Responses
//	…/messages                          Anthropic Messages
//	…:generateContent                   Gemini
//	…:streamGenerateContent?alt=sse     Gemini, as a stream
//
// It answers by server-sent events where a stream is asked for, by the path or
// by "stream": true in the body, else whole. It asks for no key and does not
// look at prompts, tools or settings.
//
//	srv := modeltest.NewServer(modeltest.Replies(
//		modeltest.Status(429).Header("Retry-After", "1").Error("rate_limit_exceeded", "slow down"),
//		modeltest.OK("The sky", " is blue."),
//	))
//	defer srv.Close()
//	client := openai.NewClient(option.WithBaseURL(srv.URL), option.WithAPIKey("none"))
//
// SDKs differ in the base URL that they want: see [Server.URL] and [Server.Address].
//
// The first request plays the first [Reply], the next one the next, and the
// last repeats. [RepliesFor] scripts the requests for one model, so that a
// server can stand for several. A request for a model with no script is
// answered with 404 and the code model_not_found, one whose body is not JSON
// with 400, one that is no request of any API with 404; none of them uses up a
// reply, and all are recorded. A request that breaks off in its body is not.
//
// A Server may be used by any number of goroutines.
type Server struct {
	// URL is the base URL to give to an OpenAI SDK: "http://127.0.0.1:12345/v1".
	URL string

	// Address is URL without the "/v1". It is the base URL to give to an SDK that
	// adds the API's version itself, as those of Anthropic ("/v1/messages") and
	// Google ("/v1beta/models/") do.
	Address string

	wires   []wire
	mu      sync.Mutex // guards scripts
	scripts scripts
	log     *requestLog
	client  *http.Client
	http    *http.Server
	ctx     context.Context // ends when the server closes
	cancel  context.CancelFunc
	running sync.WaitGroup // the listener, the connections and the handlers
}

// A ServerOption is an option of [NewServer].
type ServerOption func(*settings)

type settings struct {
	scripts scripts
	chat    chatWire
}

// Replies scripts the requests for all models that have no script of their own.
func Replies(replies ...Reply) ServerOption {
	if len(replies) == 0 {
		panic("modeltest: Replies: no reply")
	}
	return func(s *settings) { s.scripts.rest.replies = slices.Clone(replies) }
}

// RepliesFor scripts the requests that name model.
func RepliesFor(model string, replies ...Reply) ServerOption {
	if len(replies) == 0 {
		panic(fmt.Sprintf("modeltest: RepliesFor(%q): no reply", model))
	}
	return func(s *settings) { s.scripts.models[model] = &script{replies: slices.Clone(replies)} }
}

// ReasoningField sets the field of an OpenAI message that holds reasoning.
// Compatible servers call it "reasoning_content", the default, or "reasoning".
func ReasoningField(name string) ServerOption {
	if name == "" {
		panic(fmt.Sprintf("modeltest: ReasoningField(%q): no name", name))
	}
	return func(s *settings) { s.chat.reasoning = name }
}

// NewServer starts a server on a free port. The caller must Close it. Of two
// options for one thing the later counts. It panics if it cannot listen.
func NewServer(opts ...ServerOption) *Server {
	set := settings{
		scripts: scripts{models: map[string]*script{}},
		chat:    chatWire{reasoning: "reasoning_content"},
	}
	for i, opt := range opts {
		if opt == nil {
			panic(fmt.Sprintf("modeltest: NewServer: option %d: nil", i))
		}
		opt(&set)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic("modeltest: NewServer: " + err.Error())
	}
	s := &Server{
		URL:     "http://" + listener.Addr().String() + "/v1",
		Address: "http://" + listener.Addr().String(),
		wires:   []wire{set.chat, responsesWire{}, anthropicWire{}, geminiWire{}},
		scripts: set.scripts,
		log:     newRequestLog(),
		client:  &http.Client{Transport: &http.Transport{}},
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:     http.HandlerFunc(s.handle),
		BaseContext: func(net.Listener) context.Context { return s.ctx },
		ConnState:   s.connState,
		ErrorLog:    log.New(io.Discard, "", 0), // what is left to tell is what the clients do
	}
	s.running.Go(func() { s.http.Serve(listener) })
	return s
}

// Close ends every stall, closes every connection, and waits until all handlers
// have ended. It does not wait for clients. Closing again does nothing.
func (s *Server) Close() {
	s.cancel()
	s.http.Close()
	s.client.CloseIdleConnections()
	s.running.Wait()
	s.log.close()
}

// Client returns a client with a transport of its own, whose idle connections
// Close closes. It has no timeout.
func (s *Server) Client() *http.Client { return s.client }

// Requests returns the requests so far, in the order in which they arrived.
func (s *Server) Requests() []Request { return s.log.all() }

// AwaitRequest waits until the nth request, counted from 0, has arrived, and
// returns it. It fails when ctx ends, or when the server is closed, before that.
func (s *Server) AwaitRequest(ctx context.Context, n int) (Request, error) {
	return s.log.await(ctx, n, func(Request) bool { return true })
}

// AwaitEnd waits until the handler of the nth request, counted from 0, has ended:
// the reply is done, or the client has disconnected. It fails as [Server.AwaitRequest] does.
func (s *Server) AwaitEnd(ctx context.Context, n int) (Request, error) {
	return s.log.await(ctx, n, func(r Request) bool { return !r.Ended.IsZero() })
}

// connState counts the connections, whose goroutines outlive their handlers.
func (s *Server) connState(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.running.Add(1)
	case http.StateHijacked, http.StateClosed:
		s.running.Done()
	}
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	s.running.Add(1) // a hijacked connection no longer counts, its handler does
	defer s.running.Done()

	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client left, or the server is closing
	}
	n, reply, enc, stream := s.admit(r, body)
	err = play(r.Context(), w, reply, stream, enc)
	interrupted := err != nil && err != errHungUp
	s.log.end(n, interrupted && r.Context().Err() != nil && s.ctx.Err() == nil)
}

// admit records the request and says what it is answered with.
func (s *Server) admit(r *http.Request, body []byte) (n int, reply Reply, enc encoder, stream bool) {
	speaks, asked, refusal := s.read(r, body)

	s.mu.Lock() // so that the order of the replies is that of the record
	defer s.mu.Unlock()
	n = s.log.add(Request{
		Method:     r.Method,
		Path:       r.URL.Path,
		Header:     redact(r.Header),
		Body:       body,
		Model:      asked.model,
		Stream:     asked.stream,
		RemoteAddr: r.RemoteAddr,
		Arrived:    time.Now(),
	})
	if refusal != nil {
		reply = *refusal
	} else {
		reply = s.scripts.next(asked.model)
	}
	if reply.model != "" {
		asked.model = reply.model
	}
	return n, reply, speaks.encoder(n, asked, reply.usage), asked.stream
}

// read finds the wire that a request speaks and reads it, or returns the reply
// to a request that is none.
func (s *Server) read(r *http.Request, body []byte) (wire, ask, *Reply) {
	for _, w := range s.wires {
		if !w.matches(r) {
			continue
		}
		asked, err := w.read(r, body)
		if err != nil {
			reply := Status(http.StatusBadRequest).Error("invalid_request_error", "the body is not a JSON request")
			return w, ask{}, &reply
		}
		return w, asked, nil
	}
	reply := Status(http.StatusNotFound).Error("not_found", "no API at "+r.Method+" "+r.URL.Path)
	return s.wires[0], ask{}, &reply
}
