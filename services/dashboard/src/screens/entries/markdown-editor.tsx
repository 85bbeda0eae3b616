// A long text with a preview of its Markdown. Whether the site renders Markdown is the site's own choice.
import { createElement, type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { blocksOf, type Part } from "./markdown.ts";
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
      {isPreview && (
        <section className="markdown" aria-label="Preview" dir="auto">
          {text.trim() === "" ? <p className="soft">Nothing to show yet.</p> : blocksOf(text).map(shown)}
        </section>
      )}
    </div>
  );
}

/** The key is the index: the parts of a text have no state. */
function shown(part: Part, index: number): ReactNode {
  if (typeof part === "string") return part;
  const { tag, parts, attributes } = part;
  return createElement(tag, { ...attributes, key: index, children: parts?.map(shown) });
}
