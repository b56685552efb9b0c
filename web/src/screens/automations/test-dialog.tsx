import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { read, useWrite } from '../../api.ts'
import { shownInstant } from '../../shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Schema } from '../../ui/schema.ts'
import { SchemaForm } from '../../ui/schema-form.tsx'
import { Select } from '../../ui/select.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { shownValue } from './binding-name.ts'
import { canvasWords } from './canvas-words.ts'
import { useEditing } from './editing.ts'
import { useFailed } from './switching.ts'

type TestProps = { id: string; onSave: () => Promise<boolean>; onClose: () => void }

/** Runs the automation once, with what started an earlier run or with typed values. It really acts, and says so. */
export function TestDialog({ id, onSave, onClose }: TestProps) {
  const say = useWords(canvasWords)
  const navigate = useNavigate()
  const failed = useFailed()
  const { graph, known, organizationId } = useEditing()
  const test = useWrite('automations_test')
  const past = usePast(id)
  const [from, setFrom] = useState<string | null>(null)
  const [typed, setTyped] = useState<Record<string, unknown>>({})
  const chosen = from ?? past[0]?.value ?? 'typed'
  const trigger = graph.blocks.find(({ kind }) => kind === 'TRIGGER')
  const schema = (known.trigger(trigger?.ref ?? null)?.payloadSchema ?? { properties: {} }) as Schema
  const run = async () => {
    const payload = chosen === 'typed' ? typed : past.find(({ value }) => value === chosen)?.payload
    if (!(await onSave())) return
    try {
      const { id: runId } = await test.mutateAsync({ id, payload: payload ?? {} })
      await navigate({ to: '/o/$org/automations/$id/runs/$run', params: { org: organizationId, id, run: runId } })
    } catch (error) {
      failed(error)
    }
  }
  return (
    <Dialog
      title={say.testTitle}
      onClose={onClose}
      footer={
        <Button look="primary" icon="play" isDisabled={test.isPending} onPress={() => void run()}>
          {say.testRun}
        </Button>
      }
    >
      <p className="flex gap-2 rounded-md bg-warn-wash text-warn px-3 py-2">
        <Icon name="alert" className="mt-0.5" />
        {say.testActs}
      </p>
      <Field label={say.testWith}>
        <Select value={chosen} options={[...past, { value: 'typed', label: say.testTyped }]} onChange={setFrom} />
      </Field>
      {chosen === 'typed' && (
        <SchemaForm
          schema={{ ...schema, required: [] }}
          value={typed}
          onChange={setTyped}
          leaveOut={['organizationId']}
          whole
        />
      )}
    </Dialog>
  )
}

/** What started the last runs, each different one once. */
function usePast(id: string) {
  const lang = useLanguage()
  const { data } = useQuery(read('automations_runs', { id, limit: 20 }))
  const seen = new Set<string>()
  return (data?.runs ?? [])
    .filter(({ input }) => {
      const text = JSON.stringify(input)
      return !seen.has(text) && seen.add(text)
    })
    .slice(0, 10)
    .map(({ id: value, input, startedAt }) => ({
      value,
      payload: input,
      label: `${shownInstant(lang, startedAt)} · ${summary(input)}`,
    }))
}

/** What names the thing that an event was about. */
const summary = (payload: Record<string, unknown>) =>
  ['invoiceNumber', 'name', 'title', 'customerName', 'total', 'amount', 'date', 'id']
    .map((field) => payload[field])
    .filter((value) => value !== undefined && value !== null)
    .slice(0, 2)
    .map(shownValue)
    .join(' · ')
