import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react'

export const box =
  'min-w-0 rounded-md border border-edge bg-card px-2.5 h-9 pointer-coarse:h-11 text-base pointer-coarse:text-md text-ink hover:border-soft focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent aria-invalid:border-danger disabled:opacity-60'

type Wired = { id: string; 'aria-labelledby': string; 'aria-describedby'?: string; 'aria-invalid'?: true }
const Wiring = createContext<Wired | undefined>(undefined)
/** What a control needs to be named, described and refused by the field around it. */
export const useField = () => useContext(Wiring)

/**
 * Gives the focus to the first field that was refused, once the refusal is shown: in the dialog that is open, else on the page. Choices
 * are buttons, which cannot be marked as refused, so that their field is.
 */
export function useFocusRefused(): () => void {
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    if (refusals === 0) return
    const within = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document
    within.querySelector<HTMLElement>('[data-refused] :is(input, textarea, button)')?.focus()
  }, [refusals])
  return () => setRefusals((before) => before + 1)
}

/** A label above, a hint or a refusal below; the refusal is read out when it appears. */
export function Field({
  label,
  hint,
  error,
  className = '',
  children,
}: {
  label: string
  hint?: ReactNode
  error?: string | undefined
  className?: string
  children: ReactNode
}) {
  const id = useId()
  const below = error ?? hint
  return (
    <div className={`grid gap-1 content-start ${className}`} data-refused={error ? '' : undefined}>
      <label id={`${id}-label`} htmlFor={id} className="text-sm text-soft">
        {label}
      </label>
      <Wiring
        value={{
          id,
          'aria-labelledby': `${id}-label`,
          ...(below && { 'aria-describedby': `${id}-below` }),
          ...(error && { 'aria-invalid': true }),
        }}
      >
        {children}
      </Wiring>
      {below && (
        <p
          id={`${id}-below`}
          role={error ? 'alert' : undefined}
          className={`text-sm ${error ? 'text-danger' : 'text-soft'}`}
        >
          {below}
        </p>
      )}
    </div>
  )
}

export const Input = ({
  className = '',
  onText,
  ...rest
}: ComponentProps<'input'> & { onText?: (text: string) => void }) => (
  <input
    {...useField()}
    {...rest}
    onChange={(event) => onText?.(event.target.value)}
    className={`${box} w-full ${className}`}
  />
)
export const TextArea = ({ onText, ...rest }: ComponentProps<'textarea'> & { onText: (text: string) => void }) => (
  <textarea
    dir="auto"
    {...useField()}
    {...rest}
    onChange={(event) => onText(event.target.value)}
    className={`${box} w-full h-auto py-2 resize-y`}
  />
)
