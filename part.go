package strata

// A Part is one piece of a streamed answer. A type switch reads it. The parts
// of this package are values, not pointers; a provider or a layer may yield a
// type of its own.
type Part interface {
	// Commits says whether handing the part on commits the stream: the reader
	// has then seen output that cannot be taken back, so a failure behind it is
	// told and never retried. A part that commits is content.
	Commits() bool
}

type (
	// StreamStart opens a stream.
	StreamStart struct {
		Warnings []Warning
	}

	// TextStart opens a block of text. The blocks of a stream are told apart
	// by an ID that means nothing beyond the stream.
	TextStart struct {
		ID           string
		ProviderData ProviderData
	}
	// TextDelta is a piece of a block of text.
	TextDelta struct {
		ID           string
		Text         string
		ProviderData ProviderData
	}
	// TextEnd closes a block of text.
	TextEnd struct {
		ID           string
		ProviderData ProviderData
	}

	// ReasoningStart opens a block of reasoning.
	ReasoningStart struct {
		ID           string
		ProviderData ProviderData
	}
	// ReasoningDelta is a piece of a block of reasoning.
	ReasoningDelta struct {
		ID           string
		Text         string
		ProviderData ProviderData
	}
	// ReasoningEnd closes a block of reasoning.
	ReasoningEnd struct {
		ID           string
		ProviderData ProviderData
	}

	// ToolInputStart opens the input of a tool call that arrives in pieces. Its
	// ID is that of the [ToolCall] that follows when the input is whole.
	ToolInputStart struct {
		ID           string
		Name         string
		ProviderData ProviderData
	}
	// ToolInputDelta is a piece of the input of a tool call.
	ToolInputDelta struct {
		ID           string
		Delta        string
		ProviderData ProviderData
	}
	// ToolInputEnd closes the input of a tool call.
	ToolInputEnd struct {
		ID           string
		ProviderData ProviderData
	}

	// ToolCall is a whole call of a tool: a part of a stream and a content of a
	// message.
	ToolCall struct {
		ID               string
		Name             string
		Input            string // JSON
		ProviderExecuted bool   // the provider runs the tool itself
		ProviderData     ProviderData
	}
	// ToolResult is what a tool call returned: a content of a tool message, or,
	// from a provider that runs tools itself, a part of a stream.
	ToolResult struct {
		ID               string    // of the ToolCall
		Name             string    // of the tool
		Output           string    // text or JSON
		Content          []Content // texts, images, files in place of Output, where there are any
		IsError          bool
		ProviderExecuted bool
		ProviderData     ProviderData
	}
	// Source is something that an answer was drawn from.
	Source struct {
		ID           string
		URL          string
		Title        string
		MediaType    string
		Filename     string
		ProviderData ProviderData
	}
	// File is a file, by its bytes, its address, or the ID it has with the
	// provider: a content of a message, or something a model made.
	File struct {
		MediaType    string
		Filename     string
		Data         []byte
		URL          string
		FileID       string
		ProviderData ProviderData
	}
	// Raw is something of the provider's own that no other part carries.
	Raw struct {
		Value any
	}
)

// Finish ends a whole stream. Nothing follows it.
type Finish struct {
	Reason    FinishReason
	RawReason string // the provider's own word
	Usage     Usage

	// Model is the ID of the Model that answered, whatever layers it passed,
	// never the name its server reports; that is in [ResponseMetadata].
	Model        ModelID
	ProviderData ProviderData
}

// Commits reports false: a start is no output.
func (StreamStart) Commits() bool { return false }

// Commits reports false: metadata is no output.
func (ResponseMetadata) Commits() bool { return false }

// Commits reports false: a block may still turn out empty.
func (TextStart) Commits() bool { return false }

// Commits reports whether there is text.
func (p TextDelta) Commits() bool { return p.Text != "" }

// Commits reports false.
func (TextEnd) Commits() bool { return false }

// Commits reports false: a block may still turn out empty.
func (ReasoningStart) Commits() bool { return false }

// Commits reports whether there is reasoning.
func (p ReasoningDelta) Commits() bool { return p.Text != "" }

// Commits reports false.
func (ReasoningEnd) Commits() bool { return false }

// Commits reports false: the input may still turn out empty.
func (ToolInputStart) Commits() bool { return false }

// Commits reports whether there is input.
func (p ToolInputDelta) Commits() bool { return p.Delta != "" }

// Commits reports false.
func (ToolInputEnd) Commits() bool { return false }

// Commits reports true: the reader may run the call.
func (ToolCall) Commits() bool { return true }

// Commits reports true.
func (ToolResult) Commits() bool { return true }

// Commits reports true.
func (Source) Commits() bool { return true }

// Commits reports true.
func (File) Commits() bool { return true }

// Commits reports true: nobody knows what the reader makes of it.
func (Raw) Commits() bool { return true }

// Commits reports false: a stream may finish with no output at all.
func (Finish) Commits() bool { return false }
