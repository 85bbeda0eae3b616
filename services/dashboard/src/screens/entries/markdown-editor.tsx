// A long text with a preview of its Markdown. Whether the site renders Markdown is the site's own choice.
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { type Block, blocksOf, type Inline } from "./markdown.ts";
import "./markdown-editor.css";

interface MarkdownEditorProps {
  readonly text: string;
  /** The textarea. It stays in the form while the preview is shown. */
  readonly children: ReactNode;
}

export function MarkdownEditor({ text, children }: MarkdownEditorProps) {
  const [isPreview, setPreview] = useState(false);
  return (
    <div className="markdown-editor">
      {children}
      <div>
        <Button
          text={isPreview ? "Hide the preview" : "Preview Markdown"}
          look="quiet"
          aria-expanded={isPreview}
          onClick={() => setPreview(!isPreview)}
        />
      </div>
      {isPreview && <Markdown text={text} />}
    </div>
  );
}

function Markdown({ text }: { readonly text: string }) {
  const blocks = blocksOf(text);
  return (
    <section className="markdown" aria-label="Preview" dir="auto">
      {blocks.length === 0 ? (
        <p className="soft">Nothing to show yet.</p>
      ) : (
        <Keyed of={blocks} as={BlockView} />
      )}
    </section>
  );
}

function BlockView({ part: block }: { readonly part: Block }) {
  switch (block.kind) {
    case "heading":
      // The screen has its own headings, so this is not a heading for a screen reader.
      return (
        <p className="markdown-heading" data-level={block.level}>
          <Keyed of={block.parts} as={InlineView} />
        </p>
      );
    case "paragraph":
      return (
        <p>
          <Keyed of={block.parts} as={InlineView} />
        </p>
      );
    case "quote":
      return (
        <blockquote>
          <Keyed of={block.parts} as={InlineView} />
        </blockquote>
      );
    case "list": {
      const List = block.isOrdered ? "ol" : "ul";
      return (
        <List>
          <Keyed of={block.items} as={Item} />
        </List>
      );
    }
    case "code":
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case "rule":
      return <hr />;
  }
}

function Item({ part: parts }: { readonly part: readonly Inline[] }) {
  return (
    <li>
      <Keyed of={parts} as={InlineView} />
    </li>
  );
}

function InlineView({ part }: { readonly part: Inline }) {
  switch (part.kind) {
    case "strong":
      return <strong>{part.text}</strong>;
    case "emphasis":
      return <em>{part.text}</em>;
    case "code":
      return <code>{part.text}</code>;
    case "text":
      return part.text;
    case "link":
      return (
        <a href={part.href} target="_blank" rel="noopener noreferrer">
          {part.text}
        </a>
      );
  }
}

interface KeyedProps<Part> {
  readonly of: readonly Part[];
  readonly as: (props: { readonly part: Part }) => ReactNode;
}

/** The key is the index: the parts of a text have neither ids nor state. */
function Keyed<Part>({ of: parts, as: View }: KeyedProps<Part>) {
  return parts.map((part, index) => <View key={index} part={part} />);
}
