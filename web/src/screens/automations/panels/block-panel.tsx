import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/overlays/panel.tsx'
import { asObject, type Schema } from '../../../ui/schema/schema.ts'
import { SchemaForm } from '../../../ui/schema/schema-form.tsx'
import { labelOf } from '../../../ui/schema/schema-words.ts'
import { useLanguage, useWords } from '../../../words.ts'
import { FilterBuilder } from '../conditions/filter-builder.tsx'
import { newSpec, type Spec } from '../conditions/filter-spec.ts'
import { useBlockName, useEditing, warningsOf } from '../editor/editing.ts'
import { useWarningText, WarningList } from '../editor/warnings.tsx'
import { automationWords } from '../editor/words.ts'
import { outputOf } from '../graph/catalog.ts'
import { type Block, duplicateBlock, removeBlock, replaceBlock } from '../graph/graph.ts'
import { bindingRender } from './binding-field.tsx'
import { shownValue } from './binding-name.ts'
import { pathsOf, sampleOf, valueAt } from './bindings.ts'
import { Connections } from './connections.tsx'
import { panelWords } from './panel-words.ts'
import { Picker } from './picker.tsx'

/** Everything about one block: what it is, its settings, what it gives, and where it leads. */
export function BlockPanel({ block, onClose }: { block: Block; onClose: () => void }) {
  const say = useWords(panelWords)
  const kinds = useWords(automationWords).kindNames
  const nameOf = useBlockName()
  const editing = useEditing()
  const { graph, change, select, mayEdit } = editing
  const own = warningsOf(editing, { block: block.id })
  // what belongs to a field is told beside it
  const general = own.filter(({ path }) => !path.startsWith('config.input.'))
  const duplicate = () => {
    const { graph: next, id } = duplicateBlock(graph, block.id)
    change(next)
    select({ block: id })
  }
  const remove = () => {
    change(removeBlock(graph, block.id))
    select({})
  }
  return (
    <Panel
      label={`${say.block}: ${nameOf(block)}`}
      title={<span className="text-soft">{kinds[block.kind]}</span>}
      onClose={onClose}
      tools={
        mayEdit && (
          <>
            <Button look="quiet" icon="copy" label={say.duplicateOf} onPress={duplicate} />
            <Button look="quiet" icon="trash" label={say.remove} onPress={remove} />
          </>
        )
      }
    >
      <Heading block={block} />
      {general.length > 0 && <WarningList of={general} />}
      <fieldset disabled={!mayEdit} className="grid gap-5 min-w-0">
        <Settings block={block} />
      </fieldset>
      <Gives block={block} />
      <Connections block={block} />
    </Panel>
  )
}

function Heading({ block }: { block: Block }) {
  const say = useWords(panelWords)
  const lang = useLanguage()
  const nameOf = useBlockName()
  const { graph, change, known, mayEdit } = useEditing()
  const [picking, setPicking] = useState(false)
  const about = block.kind === 'ACTION' ? known.action(block.ref)?.description : known.trigger(block.ref)?.label
  const may = mayEdit && (block.kind === 'TRIGGER' || block.kind === 'ACTION')
  return (
    <header className="grid gap-2">
      <div className="flex items-start gap-2">
        <h2 className="title-text flex-1 min-w-0">
          <bdi>{nameOf(block)}</bdi>
        </h2>
        {may && <Button onPress={() => setPicking(true)}>{say.change}</Button>}
      </div>
      {about && lang === 'en' && <p className="text-soft">{about}</p>}
      <p className="text-sm text-soft">
        {say.known}{' '}
        <code dir="ltr" className="font-mono text-xs">
          {block.kind === 'TRIGGER' ? '{{trigger}}' : `{{blocks.${block.id}}}`}
        </code>
      </p>
      {picking && (
        <Picker
          only={block.kind}
          onPick={({ ref }) => {
            setPicking(false)
            change(replaceBlock(graph, { ...block, ref }))
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </header>
  )
}

function Settings({ block }: { block: Block }) {
  const say = useWords(panelWords)
  const { graph, change, objects, known } = useEditing()
  const setConfig = (config: Block['config']) => change(replaceBlock(graph, { ...block, config }), `config ${block.id}`)
  if (block.kind === 'TRIGGER') return null
  if (block.kind === 'CUSTOM')
    return (
      <>
        <p className="text-soft">{say.custom}</p>
        <SchemaForm
          schema={anything}
          value={{ config: block.config }}
          onChange={({ config }) => setConfig(asObject(config))}
          labels={{ config: say.config }}
        />
      </>
    )
  if (block.kind === 'FILTER') {
    const spec = (block.config.spec as Spec | undefined) ?? newSpec(objects, 'Document')
    return (
      <FilterBuilder blockId={block.id} spec={spec} onChange={(next) => setConfig({ ...block.config, spec: next })} />
    )
  }
  const action = known.action(block.ref)
  if (!action?.inputSchema) return null
  return <ActionForm block={block} schema={action.inputSchema as Schema} onConfig={setConfig} />
}

const anything: Schema = { type: 'object', properties: { config: {} } }

/** The organization is always the automation's own, so nobody is asked for it. */
const leaveOut = ['organizationId']

function ActionForm({
  block,
  schema,
  onConfig,
}: {
  block: Block
  schema: Schema
  onConfig: (config: Block['config']) => void
}) {
  const editing = useEditing()
  const textOf = useWarningText()
  const errors = Object.fromEntries(
    warningsOf(editing, { block: block.id })
      .filter(({ path }) => path.startsWith('config.input.'))
      .map((warning) => [warning.path.slice('config.input.'.length), textOf(warning)]),
  )
  return (
    <SchemaForm
      key={block.ref}
      schema={schema}
      value={asObject(block.config.input)}
      onChange={(input) => onConfig({ ...block.config, input })}
      errors={errors}
      leaveOut={leaveOut}
      render={bindingRender(block.id, block.ref)}
    />
  )
}

/** The fields that later blocks can use, with their values of the last run. */
function Gives({ block }: { block: Block }) {
  const say = useWords(panelWords)
  const lang = useLanguage()
  const { known, objects, lastRun } = useEditing()
  const schema = outputOf(known, objects, block)
  const list = schema?.type === 'array'
  const fields = pathsOf(list ? schema?.items : schema).slice(0, 40)
  if (fields.length === 0) return null
  const sample = sampleOf(lastRun)
  const root = block.kind === 'TRIGGER' ? 'trigger' : `blocks.${block.id}${list ? '.0' : ''}`
  return (
    <details className="rounded-md border border-rule">
      <summary className="px-3 py-2 font-medium">{say.gives}</summary>
      <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1 px-3 pb-3 text-sm">
        {fields.map(({ path }) => (
          <div key={path} className="contents">
            <dt className="text-soft">
              {path
                .split('.')
                .map((part) => labelOf(lang, part))
                .join(' › ')}
            </dt>
            <dd className="min-w-0 truncate">
              <bdi>{shownValue(valueAt(sample, `${root}.${path}`))}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
