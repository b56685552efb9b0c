/** Recorded data, as it was. It scrolls, so it can be reached by key. */
export const Json = ({ label, value }: { label: string; value: unknown }) => (
  <div role="group" aria-label={label} className="grid gap-1 min-w-0">
    <p aria-hidden className="text-xs text-soft">
      {label}
    </p>
    <pre
      dir="ltr"
      tabIndex={0}
      className="font-mono text-xs bg-tint rounded-md p-2 overflow-auto max-h-72 whitespace-pre-wrap break-words"
    >
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
  </div>
)
