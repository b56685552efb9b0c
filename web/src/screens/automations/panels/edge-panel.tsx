import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { Panel } from '../../../ui/overlays/panel.tsx'
import { labelOf } from '../../../ui/schema/schema-words.ts'
import { useLanguage, useWords } from '../../../words.ts'
import { ConditionGroup } from '../conditions/condition-editor.tsx'
import { readGuard, writeGuard } from '../conditions/conditions.ts'
import { useBlockName, useEditing, warningsOf } from '../editor/editing.ts'
import { WarningList } from '../editor/warnings.tsx'
import { outputOf } from '../graph/catalog.ts'
import { blockOf, type Edge, removeEdge, replaceEdge } from '../graph/graph.ts'
import { listsOf } from './bindings.ts'
import { panelWords } from './panel-words.ts'

/** One connection: how often it is followed, through which list, and under which guard. */
export function EdgePanel({ edge, onClose }: { edge: Edge; onClose: () => void }) {
  const say = useWords(panelWords)
  const nameOf = useBlockName()
  const editing = useEditing()
  const { graph, change, select, mayEdit } = editing
  const own = warningsOf(editing, { edge: edge.id })
  const [from, to] = [nameOf(blockOf(graph, edge.fromBlockId)), nameOf(blockOf(graph, edge.toBlockId))]
  const set = (next: Partial<Edge>) => change(replaceEdge(graph, { ...edge, ...next }), `edge ${edge.id}`)
  const remove = () => {
    change(removeEdge(graph, edge.id))
    select({})
  }
  return (
    <Panel
      label={`${say.edge}: ${say.edgeTo(from, to)}`}
      title={<span className="text-soft">{say.edge}</span>}
      onClose={onClose}
      tools={mayEdit && <Button look="quiet" icon="trash" label={say.remove} onPress={remove} />}
    >
      <h2 className="title-text">
        <bdi>{from}</bdi> <span className="text-soft">→</span> <bdi>{to}</bdi>
      </h2>
      {own.length > 0 && <WarningList of={own} />}
      <fieldset disabled={!mayEdit} className="grid gap-4 min-w-0">
        <Field label={say.mode}>
          <Select
            value={edge.mode}
            options={(['ONCE', 'FOR_EACH'] as const).map((value) => ({ value, label: say.modes[value] }))}
            onChange={(mode) => set(mode === 'ONCE' ? { mode, each: null } : { mode })}
          />
        </Field>
        {edge.mode === 'FOR_EACH' && <Each edge={edge} onEach={(each) => set({ each })} />}
        <section className="grid gap-2">
          <h3 className="font-medium">{say.guard}</h3>
          {edge.cond === null && <p className="text-soft">{say.always}</p>}
          <Guard edge={edge} onCond={(cond) => set({ cond })} />
        </section>
      </fieldset>
    </Panel>
  )
}

/** The list that is run through: the output of the source, or one inside it. */
function Each({ edge, onEach }: { edge: Edge; onEach: (each: string | null) => void }) {
  const say = useWords(panelWords)
  const lang = useLanguage()
  const { graph, known, objects } = useEditing()
  const schema = outputOf(known, objects, blockOf(graph, edge.fromBlockId))
  const lists = [...new Set(['', ...listsOf(schema), edge.each ?? ''])]
  const named = (path: string) =>
    path
      .split('.')
      .map((part) => labelOf(lang, part))
      .join(' › ')
  return (
    <Field label={say.each}>
      <Select
        value={edge.each ?? ''}
        options={lists.map((value) => ({ value, label: value ? named(value) : say.eachItself }))}
        onChange={(each) => onEach(each || null)}
      />
    </Field>
  )
}

/** An unfinished guard is kept while it is typed: an empty comparison is written as it stands. */
const Guard = ({ edge, onCond }: { edge: Edge; onCond: (cond: Edge['cond']) => void }) => (
  <ConditionGroup
    top
    blockId={edge.toBlockId}
    group={readGuard(edge.cond)}
    onChange={(group) => onCond(writeGuard(group))}
  />
)
