/** Recorded data, as it was. It scrolls, so it can be reached by key. */
export const Json = ({ label, value }: { label: string; value: unknown }) => (
  <section aria-label={label} className="grid gap-1 min-w-0">
    <h4 className="text-xs text-soft">{label}</h4>
    <pre
      dir="ltr"
      tabIndex={0}
      className="font-mono text-xs bg-tint rounded-md p-2 overflow-auto max-h-72 whitespace-pre-wrap break-words"
    >
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
  </section>
)
