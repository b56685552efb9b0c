import { Switch as Base } from 'react-aria-components/Switch'

type SwitchProps = { label: string; on: boolean; onSwitch: (on: boolean) => void; disabled?: boolean }

/** On or off, at once. `label` says what is switched. */
export const Switch = ({ label, on, onSwitch, disabled = false }: SwitchProps) => (
  <Base
    aria-label={label}
    isSelected={on}
    onChange={onSwitch}
    isDisabled={disabled}
    className="group inline-flex items-center h-6 pointer-coarse:h-11 rounded-full data-focus-visible:outline-2 outline-offset-2 outline-accent data-disabled:opacity-50"
  >
    <span
      className={`block w-8 h-4.5 p-0.5 rounded-full border ${on ? 'bg-accent border-accent' : 'bg-tint border-edge'}`}
    >
      <span
        className={`block size-3 rounded-full transition-transform duration-100 ${on ? 'bg-on-accent translate-x-3.5 rtl:-translate-x-3.5' : 'bg-edge'}`}
      />
    </span>
  </Base>
)
