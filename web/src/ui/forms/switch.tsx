type SwitchProps = { label: string; on: boolean; onSwitch: (on: boolean) => void; disabled?: boolean }

/** On or off, at once. `label` says what is switched. */
export const Switch = ({ label, on, onSwitch, disabled = false }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    aria-label={label}
    aria-checked={on}
    disabled={disabled}
    onClick={() => onSwitch(!on)}
    className="inline-flex items-center h-6 pointer-coarse:h-11 rounded-full focus-visible:outline-2 outline-offset-2 outline-accent disabled:opacity-50"
  >
    <span
      className={`block w-8 h-4.5 p-0.5 rounded-full border ${on ? 'bg-accent border-accent' : 'bg-tint border-edge'}`}
    >
      <span
        className={`block size-3 rounded-full transition-transform duration-100 ${on ? 'bg-on-accent translate-x-3.5 rtl:-translate-x-3.5' : 'bg-edge'}`}
      />
    </span>
  </button>
)
