import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { useWords } from '../../../words.ts'
import { BindingField } from '../panels/binding-field.tsx'
import { panelWords } from '../panels/panel-words.ts'
import {
  type Comparison,
  type Condition,
  type Group,
  isGroup,
  isLone,
  operators,
  readOperand,
  shownOperand,
} from './conditions.ts'

type GroupProps = {
  blockId: string
  group: Group
  onChange: (group: Group) => void
  onRemove?: () => void
  top?: boolean
}

const fresh: Comparison = { left: '', op: 'eq', right: '' }

/** Conditions one below the other, joined by all, any or none; a group can contain groups. */
export function ConditionGroup({ blockId, group, onChange, onRemove, top = false }: GroupProps) {
  const say = useWords(panelWords)
  const { join, of } = group
  const replace = (at: number, next: Condition) =>
    onChange({ join, of: of.map((each, index) => (index === at ? next : each)) })
  const remove = (at: number) => onChange({ join, of: of.filter((_, index) => index !== at) })
  return (
    <div className={top ? 'grid gap-3' : 'grid gap-3 ps-3 border-s-2 border-rule'}>
      {(of.length > 1 || join !== 'all' || !top) && (
        <div className="flex items-end gap-1">
          <Field label={say.join} className="flex-1">
            <Select
              value={join}
              onChange={(next) => onChange({ join: next, of })}
              options={(['all', 'any', 'none'] as const).map((value) => ({ value, label: say.joins[value] }))}
            />
          </Field>
          {onRemove && <Button look="quiet" icon="trash" label={say.removeCondition} onPress={onRemove} />}
        </div>
      )}
      {of.map((each, at) =>
        isGroup(each) ? (
          <ConditionGroup
            key={at}
            blockId={blockId}
            group={each}
            onChange={(next) => replace(at, next)}
            onRemove={() => remove(at)}
          />
        ) : (
          <ComparisonRow
            key={at}
            blockId={blockId}
            comparison={each}
            onChange={(next) => replace(at, next)}
            onRemove={() => remove(at)}
          />
        ),
      )}
      <div className="flex flex-wrap gap-2">
        <Button icon="plus" onPress={() => onChange({ join, of: [...of, fresh] })}>
          {say.addCondition}
        </Button>
        {of.length > 0 && (
          <Button look="quiet" onPress={() => onChange({ join, of: [...of, { join: 'any', of: [fresh] }] })}>
            {say.addGroup}
          </Button>
        )}
      </div>
    </div>
  )
}

type RowProps = { blockId: string; comparison: Comparison; onChange: (next: Comparison) => void; onRemove: () => void }

function ComparisonRow({ blockId, comparison, onChange, onRemove }: RowProps) {
  const say = useWords(panelWords)
  const { left, op, right } = comparison
  const isList = op === 'in' || op === 'nin'
  return (
    <div className="grid gap-2 rounded-md border border-rule p-3">
      <div className="flex items-end gap-1">
        <Field label={say.field} className="flex-1 min-w-0">
          <BindingField
            blockId={blockId}
            label={say.field}
            value={left}
            onChange={(next) => onChange({ ...comparison, left: String(next ?? '') })}
            text
          >
            <Input dir="auto" value={left} onText={(text) => onChange({ ...comparison, left: text })} />
          </BindingField>
        </Field>
        <Button look="quiet" icon="trash" label={say.removeCondition} onPress={onRemove} />
      </div>
      <div className="grid sm:grid-cols-2 gap-2">
        <Field label={say.operator}>
          <Select
            value={op}
            onChange={(next) => onChange({ ...comparison, op: next })}
            options={operators.map((value) => ({ value, label: say.operators[value] }))}
          />
        </Field>
        {!isLone(op) && (
          <Field label={say.value}>
            <BindingField
              blockId={blockId}
              label={say.value}
              value={right}
              onChange={(next) => onChange({ ...comparison, right: next ?? '' })}
              text={false}
            >
              <Operand value={right} isList={isList} onChange={(next) => onChange({ ...comparison, right: next })} />
            </BindingField>
          </Field>
        )}
      </div>
    </div>
  )
}

type OperandProps = { value: unknown; isList: boolean; onChange: (next: unknown) => void }

/** What is compared with: as it was typed while somebody types. */
export function Operand({ value, isList, onChange }: OperandProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Input
      dir="auto"
      value={typed ?? shownOperand(value)}
      onBlur={() => setTyped(null)}
      onText={(text) => {
        setTyped(text)
        onChange(readOperand(text, isList))
      }}
    />
  )
}
