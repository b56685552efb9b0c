import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { read, useWrite } from '../../../api.ts'
import { useMay, useOrganization } from '../../../session.ts'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/card.tsx'
import { Field, Input } from '../../../ui/forms/field.tsx'
import { NumberField } from '../../../ui/forms/number-field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useWayBack } from '../../../ui/lists/left.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { useTitle } from '../../../ui/title.ts'
import { useLanguage, useWords, words } from '../../../words.ts'
import { blockIcon, blockName } from '../editor/names.ts'
import { useFailed } from '../editor/switching.ts'
import { inOrder, newBlock } from '../graph/graph.ts'
import { type Picked, Picker } from '../panels/picker.tsx'
import { ThingField } from '../panels/thing-field.tsx'
import { thingOf } from '../panels/things.ts'
import { listWords } from './list-words.ts'
import { type Need, needsOf, type Template, templateAbout, templateName, withValue } from './templates.ts'

const said = words(
  {
    begin: 'Begin with', empty: 'An empty page', emptyHint: 'Choose what starts it, then what is found and done.', emptyAct: 'Begin empty', use: (name: string) => `Use “${name}”`,
    needs: 'It needs', needsNothing: 'It needs nothing more', fill: 'What it needs', make: 'Create the automation', newName: 'New automation', off: 'It is off until you turn it on.', later: 'What is left empty can be filled in later.', name: 'Name',
  },
  {
    begin: 'התחלה עם', empty: 'דף ריק', emptyHint: 'בחרו מה מפעיל, ואחר כך מה למצוא ומה לעשות.', emptyAct: 'התחלה מדף ריק', use: (name) => `שימוש ב„${name}”`,
    needs: 'היא צריכה', needsNothing: 'היא אינה צריכה דבר נוסף', fill: 'מה היא צריכה', make: 'יצירת האוטומציה', newName: 'אוטומציה חדשה', off: 'היא כבויה עד שתפעילו אותה.', later: 'מה שנשאר ריק אפשר למלא אחר כך.', name: 'שם',
  },
) // biome-ignore format: a list of words

/** A new automation: from nothing, or from a template that says what it does and needs. */
export function NewAutomation() {
  const say = useWords(said)
  const list = useWords(listWords)
  const may = useMay()
  const { id: org } = useOrganization()
  const way = useWayBack(`/o/${org}/automations`)
  const { data, error, refetch } = useQuery(read('automations_templates', {}))
  const [chosen, setChosen] = useState<Template | null>(null)
  const [picking, setPicking] = useState(false)
  const { create, busy } = useCreate(org)
  useTitle(list.create)
  const begin = (picked: Picked) => {
    setPicking(false)
    void create({ name: say.newName, blocks: [newBlock({ blocks: [], edges: [] }, picked, {})], edges: [] })
  }
  return (
    <div className="flex-1 overflow-y-auto">
      <div className="mx-auto max-w-[60rem] p-4 md:p-8 grid gap-5">
        <Link
          to="/o/$org/automations"
          params={{ org }}
          {...way}
          className="justify-self-start flex items-center gap-1 text-soft hover:text-ink min-h-6"
        >
          <Icon name="back" />
          {list.title}
        </Link>
        <h1 className="font-serif text-xl font-semibold pb-3 double-rule">{list.create}</h1>
        {error && !data && <Problem error={error} onAgain={() => void refetch()} />}
        <ul className="grid md:grid-cols-2 gap-4">
          {may('automations_create') && (
            <li className="rounded-lg border border-rule bg-card p-4 grid gap-3 content-between">
              <div>
                <h2 className="font-medium">{say.empty}</h2>
                <p className="text-soft">{say.emptyHint}</p>
              </div>
              <div>
                <Button look="primary" icon="plus" isDisabled={busy} onPress={() => setPicking(true)}>
                  {say.emptyAct}
                </Button>
              </div>
            </li>
          )}
          {!data && !error && [0, 1, 2].map((at) => <Skeleton key={at} className="h-44" />)}
          {data?.templates.map((template) => (
            <TemplateCard key={template.id} template={template} onUse={() => setChosen(template)} />
          ))}
        </ul>
      </div>
      {picking && <Picker only="TRIGGER" onPick={begin} onClose={() => setPicking(false)} />}
      {chosen && (
        <Fill template={chosen} organizationId={org} busy={busy} onCreate={create} onClose={() => setChosen(null)} />
      )}
    </div>
  )
}

type Created = Pick<Template, 'name' | 'blocks' | 'edges'> & { description?: string }

function useCreate(organizationId: string) {
  const navigate = useNavigate()
  const failed = useFailed()
  const write = useWrite('automations_create')
  const create = async (automation: Created) => {
    try {
      const { id } = await write.mutateAsync({ organizationId, ...automation })
      await navigate({ to: '/o/$org/automations/$id', params: { org: organizationId, id } })
    } catch (error) {
      failed(error)
    }
  }
  return { create, busy: write.isPending }
}

function TemplateCard({ template, onUse }: { template: Template; onUse: () => void }) {
  const say = useWords(said)
  const lang = useLanguage()
  const may = useMay()
  const needs = needsOf(lang, template)
  const name = templateName(lang, template)
  return (
    <li className="rounded-lg border border-rule bg-card p-4 grid gap-3 content-between">
      <div className="grid gap-2">
        <h2 className="font-medium">{name}</h2>
        <p className="text-soft">{templateAbout(lang, template)}</p>
        <ol className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-sm">
          {inOrder(template).map((block, at) => (
            <li key={block.id} className="inline-flex items-center gap-1.5">
              {at > 0 && <Icon name="forth" size={12} className="text-soft" />}
              <Icon name={blockIcon(block)} size={14} className="text-accent" />
              {blockName(lang, block)}
            </li>
          ))}
        </ol>
        <p className="text-sm text-soft">
          {needs.length === 0 ? say.needsNothing : `${say.needs}: ${needs.map(({ label }) => label).join('; ')}`}
        </p>
      </div>
      {may('automations_create') && (
        <div>
          <Button onPress={onUse}>{say.use(name)}</Button>
        </div>
      )}
    </li>
  )
}

type FillProps = {
  template: Template
  organizationId: string
  busy: boolean
  onCreate: (automation: Created) => Promise<void>
  onClose: () => void
}

function Fill({ template, organizationId, busy, onCreate, onClose }: FillProps) {
  const say = useWords(said)
  const lang = useLanguage()
  const [name, setName] = useState(templateName(lang, template))
  const [filled, setFilled] = useState(template)
  const needs = needsOf(lang, filled)
  const make = () =>
    onCreate({ name, description: templateAbout(lang, template), blocks: filled.blocks, edges: filled.edges })
  return (
    <Dialog
      title={templateName(lang, template)}
      onClose={onClose}
      footer={
        <Button look="primary" isDisabled={busy || name.trim() === ''} onPress={() => void make()}>
          {say.make}
        </Button>
      }
    >
      <p className="text-soft">{templateAbout(lang, template)}</p>
      <Field label={say.name}>
        <Input dir="auto" value={name} maxLength={200} onText={setName} />
      </Field>
      {needs.map((need) => (
        <NeedField
          key={need.path}
          need={need}
          organizationId={organizationId}
          onChange={(value) => setFilled(withValue(filled, need.path, value))}
        />
      ))}
      <p className="text-sm text-soft">
        {needs.length > 0 && say.later} {say.off}
      </p>
    </Dialog>
  )
}

type NeedProps = { need: Need; organizationId: string; onChange: (value: unknown) => void }

function NeedField({ need, organizationId, onChange }: NeedProps) {
  const thing = thingOf(need.field, need.ref)
  const text = typeof need.value === 'string' ? need.value : ''
  return (
    <Field label={need.label}>
      {need.isNumber ? (
        <NumberField label={need.label} value={Number(need.value)} onNumber={onChange} />
      ) : thing ? (
        <ThingField thing={thing} organizationId={organizationId} value={text} onPick={onChange} />
      ) : (
        <Input dir="auto" value={text} onText={onChange} />
      )}
    </Field>
  )
}
