import { useEffect, useId, useRef, useState } from 'react'
import { type Name, useWrite } from '../../../api.ts'
import { useForeignPayFields, useOwnCountry } from '../../../country.ts'
import { refusal } from '../../../refusals.ts'
import { useOrganization } from '../../../session.ts'
import { today } from '../../../shown.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/card.tsx'
import { useFocusRefused } from '../../../ui/forms/field.tsx'
import { sortRefusal } from '../../../ui/forms/form.ts'
import { keepable, useKept } from '../../../ui/forms/typed.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { isSent, tellSent } from '../../../ui/overlays/sent.ts'
import { say as tell } from '../../../ui/overlays/toast.tsx'
import { useOperationSchema } from '../../../ui/schema/operation-schema.ts'
import { missingIn, type Schema } from '../../../ui/schema/schema.ts'
import { SchemaForm } from '../../../ui/schema/schema-form.tsx'
import { schemaWords } from '../../../ui/schema/schema-words.ts'
import type { Row } from '../../../ui/values/values.tsx'
import { type Language, useLanguage, useWords } from '../../../words.ts'
import type { Area } from '../area.ts'
import { Preview, previewOf, usePreview } from '../receipts/preview.tsx'
import { filesOf } from '../receipts/receipt.tsx'
import { type Noted, Review } from '../receipts/review.tsx'
import { renderReference } from '../reference-field.tsx'
import { areaWords } from '../words.ts'
import { actName } from './act-words.ts'
import { consequenceOf } from './consequences.ts'

export type ActProps = {
  area: Area
  name: Name
  /** Of the record that it is about. */
  title?: string
  /** The record itself. */
  record?: Row
  /** What is known already and not asked for: the organization, the id of the record. */
  known: Row
  /** What the form begins with, for a change: the record as it is. */
  initial?: Row
  /** What a form for a new record proposes. */
  begin?: Row
  /** The features whose lists show something else afterwards. */
  touches: readonly string[]
  onDone: (answer: unknown) => void
  onClose: () => void
}

/** A form for any operation, made from its input schema, with the server's refusals at their fields. */
export function ActDialog({ area, name, title, record, known, initial, begin, touches, onDone, onClose }: ActProps) {
  const lang = useLanguage()
  const say = useWords(areaWords)
  const { currency, role } = useOrganization()
  const own = useOwnCountry()
  const foreign = useForeignPayFields()
  const schema = allowed(useOperationSchema(name), record && area.choices?.[name]?.(record, role))
  const started = initial && schema ? only(initial, schema) : {}
  const unchanged = begin ?? (initial || !schema ? started : proposed(schema, currency))
  const [values, setChanged] = useTypedRecord(`${name} ${JSON.stringify(known)}`, unchanged)
  const id = useId()
  useFirstField(id, schema !== undefined)
  const isSaved = name === area.create || name === area.update
  const first = typeof area.form === 'function' ? area.form(own) : area.form
  const leaveOut = [
    ...Object.keys(known),
    ...(area.hasPayTerms ? foreign : []),
    ...((isSaved && area.without?.(values)) || []),
  ]
  const { errors, problem, busy, submit, forget } = useSubmit({
    name,
    known,
    started,
    values,
    schema,
    leaveOut,
    touches,
    onDone,
  })
  const preview = usePreview(name, { ...values, ...known })
  const consequence = consequenceOf(lang, name)
  const reference = renderReference(record ?? {}, area.picks?.[name])
  const [receipt, ...receipts] = area.hasReceipts && name === area.update && record ? filesOf(record) : []
  const form = (noted: Noted = (_, inside) => inside) => (
    <form
      id={id}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <SchemaForm
        schema={schema ?? {}}
        value={values}
        onChange={(next) => {
          setChanged(next)
          forget(Object.keys(next).filter((field) => next[field] !== values[field]))
        }}
        errors={errors}
        leaveOut={leaveOut}
        plain
        {...(isSaved && first && { first })}
        {...(begin && isSaved && { settled: Object.keys(begin) })}
        render={(each, usual) => noted(each, reference(each, usual))}
      />
    </form>
  )
  return (
    <Dialog
      title={name === area.update && title ? say.editTitle(title) : actName(lang, name, area)}
      onClose={onClose}
      wide
      {...(receipt && { most: true })}
      footer={
        <>
          {previewOf[name] && (
            <Button icon="eye" busy={preview.busy} onPress={() => void preview.show()}>
              {preview.word}
            </Button>
          )}
          <Button look={consequence ? 'danger' : 'primary'} busy={busy} type="submit" form={id}>
            {isSaved ? say.save : actName(lang, name)}
          </Button>
        </>
      }
    >
      {title && name !== area.update && <bdi className="text-soft">{title}</bdi>}
      {consequence && <p>{consequence}</p>}
      {problem && <Alert>{problem}</Alert>}
      {!schema && <Skeleton className="h-40" />}
      {schema && (receipt ? <Review files={[receipt, ...receipts]}>{form}</Review> : form())}
      <Preview of={preview} />
    </Dialog>
  )
}

/**
 * The fields of the form. What was typed comes back when the page was loaded again, over a record that may have changed meanwhile:
 * so only what differs is kept.
 */
function useTypedRecord(form: string, unchanged: Row) {
  const kept = useKept<Row>(form)
  const [typed] = useState(() => kept.read())
  const [changed, setChanged] = useState<Row>()
  const change = (values: Row) => {
    setChanged(values)
    kept.keep(keepable(values, unchanged))
  }
  return [changed ?? (typed ? { ...unchanged, ...typed } : unchanged), change] as const
}

/** The schema with those values of its choices that the server would not refuse. */
function allowed(schema: Schema | undefined, choices: Record<string, readonly string[]> | undefined) {
  if (!schema || !choices) return schema
  const narrowed = Object.entries(choices).map(([field, values]) => [
    field,
    { ...schema.properties?.[field], enum: values },
  ])
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(narrowed) } }
}

/** One types at once: the first field that is still empty has the focus. */
function useFirstField(id: string, isThere: boolean) {
  useEffect(() => {
    const fields = [...(document.getElementById(id)?.querySelectorAll<HTMLInputElement>('input, textarea') ?? [])]
    const first = fields.find(({ value, type }) => value === '' && type !== 'hidden') ?? fields[0]
    first?.focus()
  }, [id, isThere])
}
/** What a new record begins with: the currency of the organization and today, where they must be said. */
const proposed = ({ required = [] }: Schema, currency: string): Row => ({
  ...(required.includes('currency') && { currency }),
  ...Object.fromEntries(['date', 'paidAt'].filter((each) => required.includes(each)).map((each) => [each, today()])),
  ...(required.includes('month') && { month: today().slice(0, 7) }),
})

/** The fields of a record that the form asks for. */
const only = (record: Row, { properties = {} }: Schema): Row =>
  Object.fromEntries(Object.entries(record).filter(([field, value]) => field in properties && value !== null))

type SubmitProps = Pick<ActProps, 'name' | 'known' | 'touches' | 'onDone'> & {
  started: Row
  values: Row
  schema: Schema | undefined
  /** Fields that the form does not ask for. */
  leaveOut: readonly string[]
}

function useSubmit({ name, known, started, values, schema, leaveOut, touches, onDone }: SubmitProps) {
  const lang = useLanguage()
  const say = useWords(areaWords)
  const { missing } = useWords(schemaWords)
  const write = useWrite(name, touches)
  const keyOf = useKeyOf()
  const focusRefused = useFocusRefused()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState('')
  async function submit() {
    setProblem('')
    const absent = missingIn(schema ?? {}, { ...values, ...known })
    setErrors(Object.fromEntries(absent.map((path) => [path, missing])))
    if (absent.length > 0) return focusRefused()
    try {
      const input = { ...changes(started, values), ...known }
      const answer = await write.mutateAsync({ ...input, key: keyOf(input) } as never)
      if (isSent(answer)) tellSent(lang, answer)
      else tell(say.done, doubtsOf(lang, answer))
      onDone(answer)
    } catch (error) {
      const fields = Object.keys(schema?.properties ?? {})
      const isAsked = (field = '') => fields.includes(field) && !leaveOut.includes(field)
      const { named, other } = sortRefusal(error, (path) => (isAsked(path.split('.')[0]) ? path : undefined))
      setErrors(named)
      setProblem(other)
      focusRefused()
    }
  }
  /** Takes back the refusals of fields that were changed since. */
  const forget = (fields: readonly string[]) =>
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([path]) => !fields.includes(path.split('.')[0] ?? ''))),
    )
  return { errors, problem, busy: write.isPending, submit, forget }
}

/** One key for the same request, so that it is done once however often it is sent; another request has another key. */
function useKeyOf(): (input: Row) => string {
  const last = useRef({ text: '', key: '' })
  return (input) => {
    const text = JSON.stringify(input)
    if (text !== last.current.text) last.current = { text, key: crypto.randomUUID() }
    return last.current.key
  }
}

/** What the server did, but doubts: told with what was done. */
function doubtsOf(lang: Language, answer: unknown) {
  const { warnings = [] } = (answer ?? {}) as { warnings?: readonly { code: string; message: string }[] }
  return warnings.length > 0
    ? { bad: true, description: warnings.map((warning) => refusal(lang, warning)).join(' ') }
    : {}
}

/** What differs from the record; a field that was emptied is sent as null. */
function changes(before: Row, after: Row): Row {
  const changed = Object.entries(after).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
  )
  const emptied = Object.keys(before).filter((field) => !(field in after))
  return { ...Object.fromEntries(changed), ...Object.fromEntries(emptied.map((field) => [field, null])) }
}
