package strata

// A Message is one turn of a conversation.
type Message struct {
	Role    Role
	Content []Content

	// ProviderOptions are options of one provider's own for this message.
	ProviderOptions ProviderData
}

// Role says whose turn a Message is.
type Role string

// The roles of a conversation. The results of tools have a turn of their own.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// SystemMessage returns a system message of one text.
func SystemMessage(text string) Message { return textMessage(RoleSystem, text) }

// UserMessage returns a user message of one text.
func UserMessage(text string) Message { return textMessage(RoleUser, text) }

// AssistantMessage returns an assistant message of one text.
func AssistantMessage(text string) Message { return textMessage(RoleAssistant, text) }

// ToolMessage returns the message that hands results of tool calls back.
func ToolMessage(results ...ToolResult) Message {
	m := Message{Role: RoleTool}
	for _, r := range results {
		m.Content = append(m.Content, r)
	}
	return m
}

func textMessage(role Role, text string) Message {
	return Message{Role: role, Content: []Content{Text{Text: text}}}
}

// Content is a piece of a [Message] or of a [Response]: [Text], [Reasoning],
// [Image], [File], [ToolCall], [ToolInput], [ToolResult], [Source] or [Raw]. A
// type switch reads it. What an answer holds may be sent back as it is in an
// assistant message; an adapter leaves out what its provider takes no part of.
type Content interface{ content() }

// Text is text.
type Text struct {
	Text         string
	ProviderData ProviderData
}

// Reasoning is what a model thought before it answered. ProviderData may hold a
// signature that the provider wants back with it.
type Reasoning struct {
	Text         string
	ProviderData ProviderData
}

// Image is an image, by its bytes or by its address.
type Image struct {
	MediaType    string // "image/png"; empty: the adapter finds out
	Data         []byte
	URL          string // when Data is nil
	Detail       string // how closely to look, in the provider's word; empty: its default
	ProviderData ProviderData
}

// ToolInput is the input of a tool call that never became whole: its stream
// finished without the call. It is kept for the record and must not be run.
type ToolInput struct {
	ID           string
	Name         string
	Input        string
	ProviderData ProviderData
}

func (Text) content()       {}
func (Reasoning) content()  {}
func (Image) content()      {}
func (ToolInput) content()  {}
func (File) content()       {}
func (ToolCall) content()   {}
func (ToolResult) content() {}
func (Source) content()     {}
func (Raw) content()        {}
