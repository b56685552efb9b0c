import { useEffect, useRef, useState } from 'react'
import { type Detail, Refused } from '../../api.ts'
import { refusal } from '../../refusals.ts'
import { currentLanguage } from '../../words.ts'
import { useFocusRefused } from './field.tsx'
import { useTypedFields } from './typed.ts'

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
  const typed = useTypedFields(Object.keys(initial).join(), initial)
  const [values, setValues] = useState(typed.begin)
  const [saved, setSaved] = useState(initial)
  useEffect(() => typed.keep(values, saved), [values, saved])
  const current = useRef({ values, saved })
  current.current.values = values
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const focusRefused = useFocusRefused()
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
      const answer = await save(values, key.current)
      setSaved(values)
      current.current.saved = values
      after(answer)
    } catch (error) {
      const { named, other } = sortRefusal(error, (path) => placeOf(path, shown.current))
      setErrors(named)
      setProblem(other)
      focusRefused()
    } finally {
      setBusy(false)
    }
  }
  // Which refusals the form has a place for: those that it asks for while it is rendered.
  const shown = useRef(new Set<string>())
  const asked = new Set<string>()
  shown.current = asked
  const told = new Proxy(errors, {
    get(all, field) {
      asked.add(String(field))
      return all[String(field)]
    },
  })
  /** Everything a field needs: `<TextField {...form.at('name')} label={say.name} />`. */
  const at = <K extends keyof V & string>(field: K) => ({
    value: values[field],
    onChange: (value: V[K]) => set(field, value),
    error: told[field],
  })
  /** Asked at the moment of leaving, which may be in `after`. */
  const unsaved = () => current.current.values !== current.current.saved
  return { values, set, at, errors: told, busy, problem, submit, dirty: values !== saved, unsaved }
}

const network = {
  en: 'The server could not be reached. Nothing was lost: try again.',
  he: 'אין קשר עם השרת. דבר לא אבד: נסו שוב.',
}

/** The field of the form that a path of the input is in: `defaultCurrencies.0` is in `defaultCurrencies`. */
function placeOf(path: string, fields: ReadonlySet<string>): string | undefined {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) if (fields.has(at)) return at
  return undefined
}

/** The sentences of a refusal by the field that has a place for them, and what remains, which stands above the form. */
export function sortRefusal(error: unknown, placeIn: (path: string) => string | undefined) {
  const lang = currentLanguage()
  if (!(error instanceof Refused)) return { named: {}, other: network[lang] }
  const named: Record<string, string> = {}
  for (const detail of error.details) {
    const place = placeIn(detail.path)
    if (place !== undefined) named[place] ??= refusal(lang, detail)
  }
  const others = error.details.filter(({ path }) => placeIn(path) === undefined)
  if (others.length === 0) return { named, other: error.details.length > 0 ? '' : refusal(lang, error) }
  return { named, other: refusal(lang, others.length < error.details.length ? partOf(error, others) : error) }
}

/** The refusal as far as it is about the given details. */
const partOf = ({ message }: Refused, details: readonly Detail[]) => ({ message, ...details[0], details })
