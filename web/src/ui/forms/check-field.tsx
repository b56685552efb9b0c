type Checked = { label: string; checked: boolean; onChange: (checked: boolean) => void }

/** A yes or no with its words beside it. */
export const CheckField = ({ label, checked, onChange }: Checked) => (
  <label className="flex items-center gap-2 min-h-6">
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
      className="size-4 accent-accent"
    />
    {label}
  </label>
)
