import { schemas } from 'kontor:schemas'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Input, type Name, type Output, Refused, useWrite } from '../api.ts'
import { useKeys } from '../keys.ts'
import { refusal } from '../refusals.ts'
import { currentLanguage, useWords } from '../words.ts'
import { Button } from './button.tsx'
import { Skeleton } from './card.tsx'
import { Problem } from './problem.tsx'
import { missingIn, type Schema } from './schema.ts'
import { SchemaForm, type SchemaOptions } from './schema-form.tsx'
import { schemaWords } from './schema-words.ts'

/** The input schema of an operation. The schemas of a feature are loaded once. */
export function useOperationSchema(name: Name) {
  const feature = name.split('_')[0] ?? ''
  return useQuery({
    queryKey: ['schemas', feature],
    queryFn: async () => (await schemas[feature]?.())?.default ?? {},
    staleTime: Number.POSITIVE_INFINITY,
    select: (all): Schema => all[name] ?? { properties: {} },
  })
}

type OperationFormProps<N extends Name> = Omit<SchemaOptions, 'errors' | 'leaveOut'> & {
  name: N
  /** What is not asked for: the organization, the id of what is changed. */
  fixed: Partial<Input<N>>
  initial?: Partial<Input<N>>
  /** Further fields that are not shown. */
  hide?: readonly string[]
  /** The verb on the button. */
  act: string
  after: (answer: Output<N>) => void
  touches?: readonly string[]
}

/** The form of an operation: its fields by its schema, refusals beside them, ⌘↵ to send. */
export function OperationForm<N extends Name>(props: OperationFormProps<N>) {
  const { name, fixed, initial = {}, hide = [], act, after, touches, ...options } = props
  const say = useWords(schemaWords)
  const schema = useOperationSchema(name)
  const write = useWrite(name, touches)
  const [value, setValue] = useState<Record<string, unknown>>(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState('')
  const key = useRef(crypto.randomUUID())
  const leaveOut = [...Object.keys(fixed), ...hide]
  async function send() {
    if (!schema.data || write.isPending) return
    const missing = missingIn(schema.data, { ...value, ...fixed })
    setErrors(Object.fromEntries(missing.map((path) => [path, say.missing])))
    setProblem('')
    if (missing.length > 0) return focusRefused()
    try {
      after(await write.mutateAsync({ ...value, ...fixed, key: key.current } as Input<N> & { key: string }))
    } catch (error) {
      const refused = refusalsOf(error)
      setErrors(refused.named)
      setProblem(refused.other)
      focusRefused()
    }
  }
  useKeys({ 'mod+enter': () => void send() })
  if (schema.error) return <Problem error={schema.error} onAgain={() => void schema.refetch()} />
  if (!schema.data) return <Skeleton className="h-48" />
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {problem && (
        <p role="alert" className="text-danger bg-danger-wash rounded-md px-3 py-2">
          {problem}
        </p>
      )}
      <SchemaForm
        {...options}
        schema={schema.data}
        value={value}
        errors={errors}
        leaveOut={leaveOut}
        onChange={(next) => {
          setValue(next)
          setErrors({})
          key.current = crypto.randomUUID()
        }}
      />
      <div>
        <Button look="primary" type="submit" busy={write.isPending}>
          {act}
        </Button>
      </div>
    </form>
  )
}

const focusRefused = () =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())

/** Refusals by the path of the value, and the sentence that belongs to no field. */
function refusalsOf(error: unknown): { named: Record<string, string>; other: string } {
  const lang = currentLanguage()
  if (!(error instanceof Refused)) return { named: {}, other: String((error as Error).message) }
  const own = error.details.filter(({ path }) => path !== '')
  const named = own.map(({ path, code = '', ...rest }) => [path, refusal(lang, { code, ...rest })])
  return { named: Object.fromEntries(named), other: own.length === 0 ? refusal(lang, error) : '' }
}
