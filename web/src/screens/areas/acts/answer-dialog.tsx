import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { fileFrom, type Name, read } from '../../../api.ts'
import { useOwnCountry } from '../../../country.ts'
import { problemText } from '../../../refusals.ts'
import { type CountryFacts, useOrganization } from '../../../session.ts'
import { shownNumber, today } from '../../../shown.tsx'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/card.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { useOperationSchema } from '../../../ui/schema/operation-schema.ts'
import { missingIn, type Schema, typeOf } from '../../../ui/schema/schema.ts'
import { SchemaForm } from '../../../ui/schema/schema-form.tsx'
import { schemaWords } from '../../../ui/schema/schema-words.ts'
import { AllValues } from '../../../ui/values/all-values.tsx'
import { saveFile } from '../../../ui/values/save-file.ts'
import type { Row } from '../../../ui/values/values.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { renderReference } from '../reference-field.tsx'
import { actName } from './act-words.ts'
import { answerWords } from './answer-words.ts'

type AnswerProps = { name: Name; title?: string; known: Row; onClose: () => void }

/** What an operation answers that only reads: what it needs is asked for, the answer is shown and can be saved as a file. */
export function AnswerDialog({ name, title, known, onClose }: AnswerProps) {
  const lang = useLanguage()
  const schema = useOperationSchema(name)
  return (
    <Dialog title={actName(lang, name)} onClose={onClose} wide reads>
      {title && <bdi className="text-soft">{title}</bdi>}
      {schema ? <Asked name={name} schema={schema} known={known} /> : <Skeleton className="h-40" />}
    </Dialog>
  )
}

/** What programs ask for: how the answer is written, and which page of it. */
const notAsked = ['answer', 'ids', 'page', 'limit']

function Asked({ name, schema, known }: { name: Name; schema: Schema; known: Row }) {
  const say = useWords(answerWords)
  const { missing } = useWords(schemaWords)
  const own = useOwnCountry()
  const { shown, files, isLayout } = shapesOf(name, schema)
  const [values, setValues] = useState<Row>(() => usual(schema, known))
  const isComplete = missingIn(schema, { ...values, ...known }).length === 0
  const [asked, setAsked] = useState(isComplete && shown ? values : undefined)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const saving = useSaving(name)
  const leaveOut = [...Object.keys(known), ...notAsked, ...(isLayout ? [] : ['format'])]
  const isAsking = Object.keys(schema.properties ?? {}).some((field) => !leaveOut.includes(field))
  const id = useId()
  const complete = () => {
    const absent = missingIn(schema, { ...values, ...known })
    setErrors(Object.fromEntries(absent.map((path) => [path, missing])))
    return absent.length === 0
  }
  const save = (more: Row) => complete() && void saving.save({ ...known, ...values, ...more })
  return (
    <>
      {isAsking && (
        <form
          id={id}
          noValidate
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (complete() && shown) setAsked(values)
          }}
        >
          <SchemaForm
            schema={layoutsOf(schema, own)}
            value={values}
            onChange={setValues}
            errors={errors}
            leaveOut={leaveOut}
            plain
            render={renderReference({})}
          />
        </form>
      )}
      <div className="flex flex-wrap gap-2">
        {isAsking && shown && (
          <Button look="primary" type="submit" form={id}>
            {say.show}
          </Button>
        )}
        {files.map(({ label, input }) => (
          <Button key={label} icon="download" busy={saving.busy} onPress={() => save(input)}>
            {label === 'file' ? say.file : label.toUpperCase()}
          </Button>
        ))}
      </div>
      {saving.problem && <Alert>{saving.problem}</Alert>}
      {asked && shown && <Answer name={name} input={{ ...known, ...asked, ...shown }} />}
    </>
  )
}

/** How an answer is asked for to be shown, and how as a file. */
function shapesOf(name: Name, { properties = {} }: Schema) {
  const formats = (properties.format?.enum ?? []).map(String)
  if (properties.answer?.enum?.includes('checklist'))
    return { shown: { answer: 'checklist' }, files: [{ label: 'file', input: { answer: 'file' } }], isLayout: true }
  if (name === 'expenses_csv') return { shown: undefined, files: [{ label: 'csv', input: {} }], isLayout: false }
  if (name === 'expenses_manifest') return { shown: {}, files: [{ label: 'json', input: {} }], isLayout: false }
  const files = formats.filter((format) => format !== 'json').map((format) => ({ label: format, input: { format } }))
  return { shown: {}, files, isLayout: false }
}

/** With the layouts that the banks of the country take. */
const layoutsOf = (schema: Schema, { bankFormats }: CountryFacts): Schema =>
  schema.properties?.format?.enum?.includes('masav')
    ? { ...schema, properties: { ...schema.properties, format: { enum: bankFormats } } }
    : schema

/** What one asks for most often: this month, the last year that is over, the quarter that is over. */
function usual({ properties = {}, required = [] }: Schema, known: Row): Row {
  const day = today()
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const quarter = Math.floor((month - 1) / 3) || 4
  const values: Row = {
    month: day.slice(0, 7),
    year: required.includes('quarter') && quarter < 4 ? year : year - 1,
    quarter,
  }
  const fits = Object.entries(values).filter(([field]) => field in properties && !(field in known))
  return Object.fromEntries(
    fits
      .filter(([field]) => field === 'month' || required.includes(field))
      .map(([field, value]) => [field, typeOf(properties[field] ?? {}) === 'string' ? String(value) : value]),
  )
}

function useSaving(name: Name) {
  const lang = useLanguage()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  async function save(input: Row) {
    setBusy(true)
    setProblem('')
    try {
      const { file, fileName } = await fileFrom(name, input as never)
      saveFile(file, fileName)
    } catch (error) {
      setProblem(problemText(lang, error as Error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, save }
}

/** Amounts in an answer that are called like quantities. */
const amountsOf: Partial<Record<Name, readonly string[]>> = { orders_match: ['ordered', 'received', 'billed'] }

/** The answer, a page at a time if it has several. */
export function Answer({ name, input }: { name: Name; input: Row }) {
  const say = useWords(answerWords)
  const lang = useLanguage()
  const { currency } = useOrganization()
  const [page, setPage] = useState(1)
  const { data, error } = useQuery({ ...read(name, { ...input, ...(page > 1 && { page }) } as never), retry: false })
  if (error) return <Alert>{problemText(lang, error)}</Alert>
  if (!data) return <Skeleton className="h-24" />
  const { pagination, ...answer } = data as unknown as Row & { pagination?: { total: number; totalPages: number } }
  const isNothing = Object.values(answer).every((value) => Array.isArray(value) && value.length === 0)
  return (
    <div className="grid gap-3 min-w-0">
      {isNothing ? (
        <p className="text-soft">{say.nothing}</p>
      ) : (
        <AllValues of={answer} currency={currency} leaveOut={['order']} amounts={amountsOf[name] ?? []} />
      )}
      {pagination && pagination.totalPages > 1 && (
        <div className="flex items-center gap-2">
          <Button isDisabled={page === 1} onPress={() => setPage(page - 1)}>
            {say.before}
          </Button>
          <span className="text-soft">
            {say.pageOf(shownNumber(lang, page), shownNumber(lang, pagination.totalPages))}
          </span>
          <Button isDisabled={page >= pagination.totalPages} onPress={() => setPage(page + 1)}>
            {say.after}
          </Button>
        </div>
      )}
    </div>
  )
}
