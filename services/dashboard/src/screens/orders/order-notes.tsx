// The notes of an order, and the metadata of the program that placed it.
import type { DataOf } from "@tradepost/client/operations";
import { CodeBlock } from "../../ui/code.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";

export function OrderNotes({ order }: { readonly order: DataOf<"getOrder"> }) {
  const { customerNote, internalNote, metadata } = order;
  return (
    <>
      <Section title="Notes">
        <Facts label="What was written">
          <Fact name="Customer’s note">
            <Note text={customerNote} />
          </Fact>
          <Fact name="Internal note">
            <Note text={internalNote} />
          </Fact>
        </Facts>
      </Section>
      {metadata !== undefined && (
        <Section title="Metadata">
          <CodeBlock text={JSON.stringify(metadata, null, 2)} what="the metadata" />
        </Section>
      )}
    </>
  );
}

function Note({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return <span className="soft">None</span>;
  return (
    <p className="order-text" dir="auto">
      {text}
    </p>
  );
}
