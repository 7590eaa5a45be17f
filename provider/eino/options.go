package eino

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/strata-go/strata"
	"github.com/strata-go/strata/internal/exchange"
)

// WithRequest returns an option that a [ChatModel] takes beside eino's common
// ones: edit sets what those have no place for, such as Seed, ResponseFormat or
// ProviderOptions, after all of them. It may change the Request it gets in any way.
// Other chat models ignore the option.
func WithRequest(edit func(*strata.Request)) model.Option {
	if edit == nil {
		panic("eino.WithRequest: the function is nil")
	}
	return model.WrapImplSpecificOptFn(func(e *edits) { *e = append(*e, edit) })
}

type edits []func(*strata.Request)

// question is what a ChatModel is asked.
type question struct {
	request  *strata.Request
	warnings []strata.Warning
	told     *model.CallbackInput // what callbacks are told
	live     bool
}

// ask makes a question of eino's. What callbacks are told is there beside an error
// too.
func (c *ChatModel) ask(in []*schema.Message, opts []model.Option) (*question, error) {
	id := c.model.ID()
	o := model.GetCommonOptions(&model.Options{Tools: c.infos}, opts...)
	q := &question{told: told(in, o, id.Name)}
	messages, err := conversation(in)
	if err != nil {
		return q, exchange.Invalid(id, "%v", err)
	}
	req := &strata.Request{
		Messages: messages, Tools: c.tools, StopSequences: slices.Clone(o.Stop),
		Temperature: double(o.Temperature), TopP: double(o.TopP),
	}
	if o.MaxTokens != nil {
		req.MaxOutputTokens = *o.MaxTokens
	}
	if !slices.Equal(o.Tools, c.infos) {
		if req.Tools, err = toolsFrom(o.Tools); err != nil {
			return q, exchange.Invalid(id, "%v", err)
		}
	}
	if err := choose(req, o); err != nil {
		return q, exchange.Invalid(id, "%v", err)
	}
	if o.Model != nil && *o.Model != id.Name {
		q.warnings = append(q.warnings, strata.Warning{
			Setting: "Model", Message: fmt.Sprintf("%s was asked, not %q", id, *o.Model),
		})
	}
	if down := handedDown(opts); down != nil {
		req.Raw = down
	}
	q.request = req.Clone() // an edit must not reach what others share
	for _, edit := range *model.GetImplSpecificOptions(&edits{}, opts...) {
		edit(q.request)
	}
	return q, nil
}

// double is f as it was written: 0.7, not 0.699999988.
func double(f *float32) *float64 {
	if f == nil {
		return nil
	}
	d, err := strconv.ParseFloat(strconv.FormatFloat(float64(*f), 'g', -1, 32), 64)
	if err != nil {
		d = float64(*f)
	}
	return &d
}

func toolsFrom(infos []*schema.ToolInfo) ([]strata.Tool, error) {
	var tools []strata.Tool
	for i, info := range infos {
		t, err := toolFrom(info)
		if err != nil {
			return nil, fmt.Errorf("tools[%d]: %w", i, err)
		}
		tools = append(tools, t)
	}
	return tools, nil
}

// choose sets the tool choice, and leaves of the tools those that are allowed.
func choose(req *strata.Request, o *model.Options) error {
	if o.ToolChoice == nil {
		return nil
	}
	for _, name := range o.AllowedToolNames {
		if !slices.ContainsFunc(req.Tools, func(t strata.Tool) bool { return t.Name == name }) {
			return fmt.Errorf("the allowed tool %q is none of the tools", name)
		}
	}
	if len(o.AllowedToolNames) > 0 && *o.ToolChoice == schema.ToolChoiceForced && len(o.AllowedToolNames) == 1 {
		req.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceTool, Name: o.AllowedToolNames[0]}
		return nil
	}
	if len(o.AllowedToolNames) > 0 {
		req.Tools = slices.DeleteFunc(slices.Clone(req.Tools), func(t strata.Tool) bool {
			return !slices.Contains(o.AllowedToolNames, t.Name)
		})
	}
	switch *o.ToolChoice {
	case schema.ToolChoiceForbidden:
		req.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceNone}
	case schema.ToolChoiceAllowed:
		req.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceAuto}
	case schema.ToolChoiceForced:
		req.ToolChoice = &strata.ToolChoice{Mode: strata.ToolChoiceRequired}
	default:
		return fmt.Errorf("unknown tool choice %q", *o.ToolChoice)
	}
	return nil
}

// handedDown are the options that are neither common ones, which are in the
// Request and may be changed by layers, nor this package's.
func handedDown(opts []model.Option) []model.Option {
	var down []model.Option
	for _, o := range opts {
		common := !reflect.DeepEqual(model.GetCommonOptions(nil, o), &model.Options{})
		ours := len(*model.GetImplSpecificOptions(&edits{}, o)) > 0
		if !common && !ours {
			down = append(down, o)
		}
	}
	return down
}
