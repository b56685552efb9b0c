import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { labelOf } from '../../../ui/schema/schema-words.ts'
import { useLanguage, useWords } from '../../../words.ts'
import { useEditing } from '../editor/editing.ts'
import { objectName } from '../editor/names.ts'
import { BindingField } from '../panels/binding-field.tsx'
import { panelWords } from '../panels/panel-words.ts'
import { Operand } from './condition-editor.tsx'
import { operators } from './conditions.ts'
import { FilterPreview } from './filter-preview.tsx'
import {
  addFollow,
  fieldsInScope,
  nameFor,
  newSpec,
  type Predicate,
  removeFollow,
  type Spec,
  scopeOf,
  tidySpec,
} from './filter-spec.ts'

type BuilderProps = { blockId: string; spec: Spec; onChange: (spec: Spec) => void }

/** What a filter looks through, with what, where, and what it takes from each row; below, what it finds now. */
export function FilterBuilder({ blockId, spec, onChange }: BuilderProps) {
  const say = useWords(panelWords)
  const lang = useLanguage()
  const { objects, organizationId } = useEditing()
  const set = (next: Spec) => onChange(tidySpec(next))
  const shapes = Object.entries<string>(say.shapes).map(([value, label]) => ({ value, label }))
  return (
    <div className="grid gap-5">
      <Field label={say.find}>
        <Select
          value={spec.root || null}
          onChange={(root) => set(newSpec(objects, root))}
          options={Object.keys(objects).map((value) => ({ value, label: objectName(lang, value) }))}
        />
      </Field>
      <FilterPreview blockId={blockId} organizationId={organizationId} spec={spec} />
      <Follows spec={spec} onChange={set} />
      <Predicates blockId={blockId} spec={spec} onChange={set} />
      <Extracts spec={spec} onChange={set} />
      <Groups spec={spec} onChange={set} />
      <Field label={say.shape}>
        <Select
          value={spec.shape ?? 'objects'}
          options={shapes}
          onChange={(shape) => set({ ...spec, shape: shape as Spec['shape'] })}
        />
      </Field>
    </div>
  )
}

type PartProps = { spec: Spec; onChange: (spec: Spec) => void }

function Follows({ spec, onChange }: PartProps) {
  const say = useWords(panelWords)
  const lang = useLanguage()
  const { objects } = useEditing()
  const scope = [...scopeOf(objects, spec)]
  const ways = scope.flatMap(([as, object]) =>
    Object.entries(objects[object]?.morphisms ?? {}).map(([name, target]) => ({
      value: `${as}|${name}`,
      label: `${labelOf(lang, name)} (${objectName(lang, target)}) ${say.from} ${objectName(lang, as)}`,
    })),
  )
  return (
    <fieldset className="grid gap-2">
      <legend className="text-sm text-soft mb-1">{say.follow}</legend>
      {spec.follows?.map(({ from, name, as }, at) => (
        <div key={at} className="flex items-center gap-1">
          <span className="flex-1 truncate">
            {labelOf(lang, name)} {say.from} {objectName(lang, from)}
            {as && <span className="text-soft"> · {as}</span>}
          </span>
          <Button
            look="quiet"
            icon="trash"
            label={say.remove}
            onPress={() => onChange(removeFollow(objects, spec, at))}
          />
        </div>
      ))}
      {ways.length > 0 && (spec.follows?.length ?? 0) < 5 && (
        <Adder
          label={say.addFollow}
          options={ways}
          onPick={(way) => {
            const [from = '', name = ''] = way.split('|')
            onChange(addFollow(objects, spec, from, name))
          }}
        />
      )}
    </fieldset>
  )
}

/** A choice that adds what is chosen. */
const Adder = ({
  label,
  options,
  onPick,
}: {
  label: string
  options: readonly { value: string; label: string }[]
  onPick: (value: string) => void
}) => (
  <Field label={label}>
    <Select key={options.length} value={null} options={options} onChange={onPick} />
  </Field>
)

function useFieldOptions(spec: Spec) {
  const lang = useLanguage()
  const { objects } = useEditing()
  const several = (spec.follows?.length ?? 0) > 0
  const fields = fieldsInScope(objects, spec)
  const nameOf = ({ as, name }: { as: string; name: string }) =>
    several ? `${objectName(lang, as)} › ${labelOf(lang, name)}` : labelOf(lang, name)
  return { fields, options: fields.map((field) => ({ value: field.path, label: nameOf(field) })) }
}

function Predicates({ blockId, spec, onChange }: PartProps & { blockId: string }) {
  const say = useWords(panelWords)
  const { options } = useFieldOptions(spec)
  const all = spec.predicates ?? []
  const set = (at: number, next: Predicate) =>
    onChange({ ...spec, predicates: all.map((each, index) => (index === at ? next : each)) })
  const [first = ''] = options.map(({ value }) => value)
  const add = () => onChange({ ...spec, predicates: [...all, { ...split(first), op: 'eq', value: '' }] })
  return (
    <fieldset className="grid gap-2">
      <legend className="text-sm text-soft mb-1">{say.where}</legend>
      {all.map((each, at) => (
        <PredicateRow
          key={at}
          blockId={blockId}
          each={each}
          options={options}
          onChange={(next) => set(at, next)}
          onRemove={() => onChange({ ...spec, predicates: all.filter((_, index) => index !== at) })}
        />
      ))}
      <div>
        <Button icon="plus" onPress={add}>
          {say.addWhere}
        </Button>
      </div>
    </fieldset>
  )
}

const split = (path: string) => {
  const [object = '', field = ''] = path.split('.')
  return { object, field }
}

type PredicateProps = {
  blockId: string
  each: Predicate
  options: readonly { value: string; label: string }[]
  onChange: (next: Predicate) => void
  onRemove: () => void
}

function PredicateRow({ blockId, each, options, onChange, onRemove }: PredicateProps) {
  const say = useWords(panelWords)
  const compared = operators.filter((op): op is Predicate['op'] => op !== 'exists' && op !== 'empty')
  const isList = each.op === 'in' || each.op === 'nin'
  return (
    <div className="grid gap-2 rounded-md border border-rule p-3">
      <div className="flex items-end gap-1">
        <Field label={say.field} className="flex-1 min-w-0">
          <Select
            value={`${each.object}.${each.field}`}
            options={options}
            onChange={(path) => onChange({ ...each, ...split(path) })}
          />
        </Field>
        <Button look="quiet" icon="trash" label={say.removeCondition} onPress={onRemove} />
      </div>
      <div className="grid sm:grid-cols-2 gap-2">
        <Field label={say.operator}>
          <Select
            value={each.op}
            options={compared.map((value) => ({ value, label: say.operators[value] }))}
            onChange={(op) => onChange({ ...each, op })}
          />
        </Field>
        <Field label={say.value}>
          <BindingField
            blockId={blockId}
            label={say.value}
            value={each.value}
            onChange={(value) => onChange({ ...each, value: value ?? '' })}
            text={false}
          >
            <Operand value={each.value} isList={isList} onChange={(value) => onChange({ ...each, value })} />
          </BindingField>
        </Field>
      </div>
    </div>
  )
}

function Extracts({ spec, onChange }: PartProps) {
  const say = useWords(panelWords)
  const lang = useLanguage()
  const { fields, options } = useFieldOptions(spec)
  const set = (at: number, change: Partial<Spec['extract'][number]>) =>
    onChange({ ...spec, extract: spec.extract.map((each, index) => (index === at ? { ...each, ...change } : each)) })
  const nameOf = (path: string) => options.find(({ value }) => value === path)?.label ?? path
  const fns = (path: string) =>
    Object.keys(say.fns).filter((fn) => fn !== 'sum' || fields.find((field) => field.path === path)?.type === 'number')
  return (
    <fieldset className="grid gap-2">
      <legend className="text-sm text-soft mb-1">{say.take}</legend>
      {spec.extract.map(({ as, path, fn }, at) => (
        <div key={at} className="grid grid-cols-[minmax(0,1fr)_6rem_auto] items-end gap-1">
          <Field label={nameOf(path)}>
            <Input
              dir="ltr"
              value={as}
              aria-label={`${say.as}: ${labelOf(lang, path)}`}
              onText={(text) => set(at, { as: text })}
            />
          </Field>
          <Field label={say.fn}>
            <Select
              value={fn ?? ''}
              options={fns(path).map((value) => ({ value, label: say.fns[value] ?? value }))}
              onChange={(next) => set(at, { fn: next === 'sum' || next === 'count' ? next : undefined })}
            />
          </Field>
          <Button
            look="quiet"
            icon="trash"
            label={say.remove}
            onPress={() => onChange({ ...spec, extract: spec.extract.filter((_, index) => index !== at) })}
          />
        </div>
      ))}
      <Adder
        label={say.addTake}
        options={options}
        onPick={(path) => onChange({ ...spec, extract: [...spec.extract, { as: nameFor(spec, path), path }] })}
      />
    </fieldset>
  )
}

function Groups({ spec, onChange }: PartProps) {
  const say = useWords(panelWords)
  const { options } = useFieldOptions(spec)
  const all = spec.aggregateBy ?? []
  const counted = spec.extract.some(({ fn }) => fn)
  if (!counted && all.length === 0) return null
  return (
    <fieldset className="grid gap-2">
      <legend className="text-sm text-soft mb-1">{say.groupBy}</legend>
      {all.map((path) => (
        <div key={path} className="flex items-center gap-1">
          <span className="flex-1">{options.find(({ value }) => value === path)?.label ?? path}</span>
          <Button
            look="quiet"
            icon="trash"
            label={say.remove}
            onPress={() => onChange({ ...spec, aggregateBy: all.filter((each) => each !== path) })}
          />
        </div>
      ))}
      <Adder
        label={say.addGroupBy}
        options={options.filter(({ value }) => !all.includes(value))}
        onPick={(path) => onChange({ ...spec, aggregateBy: [...all, path] })}
      />
    </fieldset>
  )
}
