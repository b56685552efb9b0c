import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { read, useWrite } from '../../../api.ts'
import { shownInstant } from '../../../shown.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import type { Schema } from '../../../ui/schema/schema.ts'
import { SchemaForm } from '../../../ui/schema/schema-form.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { useEditing } from '../editor/editing.ts'
import { useFailed } from '../editor/switching.ts'
import { shownValue } from '../panels/binding-name.ts'
import { panelWords } from '../panels/panel-words.ts'
import { TrialResult, type Tried } from './trial.tsx'

type TestProps = { id: string; onSave: () => Promise<boolean>; onClose: () => void }

/** Tries the graph without effects, saved or not, or runs it once for real, and says which. */
export function TestDialog({ id, onSave, onClose }: TestProps) {
  const say = useWords(panelWords)
  const navigate = useNavigate()
  const failed = useFailed()
  const { graph, known, organizationId } = useEditing()
  const test = useWrite('automations_test')
  const attempt = useWrite('automations_try', [])
  const past = usePastEvents(organizationId, id)
  const [from, setFrom] = useState<string | null>(null)
  const [typed, setTyped] = useState<Record<string, unknown>>({})
  const [tried, setTried] = useState<Tried | null>(null)
  const chosen = from ?? past[0]?.value ?? 'example'
  const event = past.find(({ value }) => value === chosen)
  const trigger = graph.blocks.find(({ kind }) => kind === 'TRIGGER')
  const schema = (known.trigger(trigger?.ref ?? null)?.payloadSchema ?? { properties: {} }) as Schema
  const tryOut = async () => {
    const start = event ? { eventId: event.value } : chosen === 'typed' ? { payload: typed } : {}
    const { blocks, edges } = graph
    try {
      setTried(
        await attempt.mutateAsync({
          organizationId,
          automationId: id,
          blocks: [...blocks],
          edges: [...edges],
          ...start,
        }),
      )
    } catch (error) {
      failed(error)
    }
  }
  const run = async () => {
    if (!(await onSave())) return
    try {
      const { id: runId } = await test.mutateAsync({ id, payload: event?.payload ?? typed })
      await navigate({ to: '/o/$org/automations/$id/runs/$run', params: { org: organizationId, id, run: runId } })
    } catch (error) {
      failed(error)
    }
  }
  const options = [...past, { value: 'example', label: say.testExample }, { value: 'typed', label: say.testTyped }]
  return (
    <Dialog
      wide
      title={say.testTitle}
      onClose={onClose}
      footer={
        <>
          <Button icon="play" isDisabled={test.isPending || chosen === 'example'} onPress={() => void run()}>
            {say.testRun}
          </Button>
          <Button look="primary" icon="eye" isDisabled={attempt.isPending} onPress={() => void tryOut()}>
            {say.trySafely}
          </Button>
        </>
      }
    >
      <Field label={say.testWith}>
        <Select value={chosen} options={options} onChange={setFrom} />
      </Field>
      {tried && <TrialResult tried={tried} />}
      {chosen === 'typed' && (
        <SchemaForm
          schema={{ ...schema, required: [] }}
          value={typed}
          onChange={setTyped}
          leaveOut={['organizationId']}
          whole
        />
      )}
      <p className="flex gap-2 rounded-md bg-warn-wash text-warn px-3 py-2">
        <Icon name="alert" className="mt-0.5" />
        {say.testActs}
      </p>
    </Dialog>
  )
}

/** Events that would have started it, the newest first. */
function usePastEvents(organizationId: string, automationId: string) {
  const lang = useLanguage()
  const { data } = useQuery(read('automations_trigger_events', { organizationId, automationId, limit: 20 }))
  return (data?.events ?? []).map(({ id, createdAt, payload }) => ({
    value: id,
    payload,
    label: `${shownInstant(lang, createdAt)} · ${summary(payload)}`,
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
