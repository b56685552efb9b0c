import { useRef, useState } from 'react'
import { Refused } from '../api.ts'
import { refusal } from '../refusals.ts'
import { currentLanguage } from '../words.ts'

/**
 * The state of a form: values, what was refused where, and one key for the whole attempt, so that sending again after a
 * broken connection is the same request. Refusals of the server appear beside the field that their path names.
 */
export function useForm<V extends object, A>({
  initial,
  save,
  after,
}: {
  initial: V
  save: (values: V, key: string) => Promise<A>
  after: (answer: A) => void
}) {
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const key = useRef(crypto.randomUUID())
  const set = <K extends keyof V>(field: K, value: V[K]) => {
    setValues((before) => ({ ...before, [field]: value }))
    setErrors(({ [field as string]: _, ...rest }) => rest)
    key.current = crypto.randomUUID()
  }
  async function submit() {
    if (busy) return
    setBusy(true)
    setProblem('')
    try {
      after(await save(values, key.current))
    } catch (error) {
      const { named, other } = sort(error, values)
      setErrors(named)
      setProblem(other)
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    } finally {
      setBusy(false)
    }
  }
  /** Everything a field needs: `<TextField {...form.at('name')} label={say.name} />`. */
  const at = <K extends keyof V & string>(field: K) => ({
    value: values[field],
    onChange: (value: V[K]) => set(field, value),
    error: errors[field],
  })
  return { values, set, at, errors, busy, problem, submit, dirty: JSON.stringify(values) !== JSON.stringify(initial) }
}

const network = {
  en: 'The server could not be reached. Nothing was lost: try again.',
  he: 'אין קשר עם השרת. דבר לא אבד: נסו שוב.',
}

/** The sentences of a refusal by the field they belong to, and the one that belongs to no field of this form. */
function sort(error: unknown, values: object): { named: Record<string, string>; other: string } {
  const lang = currentLanguage()
  if (!(error instanceof Refused)) return { named: {}, other: network[lang] }
  const fields = Object.keys(values)
  const own = error.details.filter(({ path }) => fields.includes(path))
  const named = own.map(({ path, code = '', ...rest }) => [path, refusal(lang, { code, ...rest })])
  return { named: Object.fromEntries(named), other: own.length === 0 ? refusal(lang, error) : '' }
}
