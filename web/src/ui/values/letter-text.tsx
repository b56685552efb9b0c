/** The words of a letter. Each paragraph runs in the direction of its own language; addresses of pages can be followed. */
export const LetterText = ({ text }: { text: string }) => (
  <div className="plain-paragraphs whitespace-pre-wrap [overflow-wrap:anywhere] rounded-md border border-rule bg-tint p-3 text-sm">
    {text.split(/(https?:\/\/[^\s<>]+[^\s<>.,;:!?)])/).map((part, at) =>
      at % 2 === 0 ? (
        part
      ) : (
        <a key={at} href={part} target="_blank" rel="noreferrer" className="text-accent underline">
          {part}
        </a>
      ),
    )}
  </div>
)
