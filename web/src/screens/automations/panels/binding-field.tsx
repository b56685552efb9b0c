import { type ReactNode, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { SchemaValue } from '../../../ui/schema/schema-form.tsx'
import { useLanguage, useWords } from '../../../words.ts'
import { useEditing, useSources } from '../editor/editing.ts'
import { fieldName, shownValue, useBindingName } from './binding-name.ts'
import { bindingsIn, isBound, onlyBinding } from './bindings.ts'
import { Finder, fitting } from './finder.tsx'
import { panelWords } from './panel-words.ts'
import { ThingField } from './thing-field.tsx'
import { thingOf } from './things.ts'

type BindingFieldProps = {
  blockId: string
  label: string
  value: unknown
  onChange: (value: unknown) => void
  text: boolean
  children: ReactNode
}

/**
 * A control whose value can also be taken from an earlier block. One binding is a chip in place of the control; in a longer
 * text bindings stand where they were put, and are named below it.
 */
export function BindingField({ blockId, label, value, onChange, text, children }: BindingFieldProps) {
  const say = useWords(panelWords)
  const { mayEdit } = useEditing()
  const [open, setOpen] = useState(false)
  const only = onlyBinding(value)
  const put = (path: string) => {
    setOpen(false)
    const written = `{{${path}}}`
    const before = text && typeof value === 'string' && only === undefined ? value : ''
    onChange(before ? `${before}${before.endsWith(' ') ? '' : ' '}${written}` : written)
  }
  return (
    <div className="grid gap-1 min-w-0">
      <div className="flex gap-1 items-start min-w-0">
        <div className="flex-1 min-w-0">
          {only !== undefined ? <Chip blockId={blockId} path={only} onRemove={() => onChange(undefined)} /> : children}
        </div>
        {mayEdit && <Button look="quiet" icon="bolt" label={say.bind(label)} onPress={() => setOpen(true)} />}
      </div>
      {only === undefined && isBound(value) && (
        <div className="flex flex-wrap gap-1">
          {bindingsIn(value).map((path, at) => (
            <Chip key={at} blockId={blockId} path={path} />
          ))}
        </div>
      )}
      {open && <BindingPicker blockId={blockId} onPick={put} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** How the form of an action shows a value: things by name, and everything bindable. Lists and objects are bound by their parts. */
export const bindingRender = (blockId: string, ref: string | null) => (each: SchemaValue, usual: () => ReactNode) =>
  each.control === 'object' || each.control === 'pairs' || (each.control === 'list' && !isBound(each.value)) ? (
    usual()
  ) : (
    <BindingField
      blockId={blockId}
      label={each.label}
      value={each.value}
      onChange={each.onChange}
      text={each.control === 'text' || each.control === 'long' || each.control === 'json'}
    >
      <ThingOr each={each} blockRef={ref} usual={usual} />
    </BindingField>
  )

/** A field that names a customer is found by name; every other one is the usual. */
function ThingOr({ each, blockRef, usual }: { each: SchemaValue; blockRef: string | null; usual: () => ReactNode }) {
  const { organizationId, mayEdit } = useEditing()
  const thing = thingOf(each.name, blockRef)
  if (!thing || !mayEdit || isBound(each.value)) return usual()
  return (
    <ThingField
      thing={thing}
      organizationId={organizationId}
      value={typeof each.value === 'string' ? each.value : ''}
      onPick={each.onChange}
    />
  )
}

function Chip({ blockId, path, onRemove }: { blockId: string; path: string; onRemove?: () => void }) {
  const say = useWords(panelWords)
  const { mayEdit } = useEditing()
  const { sampleAt } = useSources(blockId)
  const nameOf = useBindingName(blockId)
  const sample = sampleAt(path)
  return (
    <span
      className={`inline-flex items-center gap-1.5 max-w-full rounded-md bg-info-wash text-info ps-2 ${onRemove ? 'min-h-9 w-full' : 'pe-2 min-h-6'}`}
    >
      <Icon name="bolt" size={12} />
      <bdi className="truncate font-medium">{nameOf(path)}</bdi>
      {sample !== undefined && (
        <bdi className="truncate text-soft text-sm" title={say.sample}>
          {shownValue(sample)}
        </bdi>
      )}
      {onRemove && mayEdit && (
        <span className="ms-auto">
          <Button look="quiet" icon="close" label={say.unbind(nameOf(path))} onPress={onRemove} />
        </span>
      )}
    </span>
  )
}

function BindingPicker({
  blockId,
  onPick,
  onClose,
}: {
  blockId: string
  onPick: (path: string) => void
  onClose: () => void
}) {
  const say = useWords(panelWords)
  const lang = useLanguage()
  const { sources, sampleAt } = useSources(blockId)
  const [text, setText] = useState('')
  const all = sources.flatMap(({ label, of }) =>
    of.map((each) => ({
      key: each.path,
      name: fieldName(lang, each.label, say.contexts),
      group: label,
      end: shownValue(sampleAt(each.path)),
    })),
  )
  return (
    <Finder
      title={say.bindTitle}
      placeholder={say.bindSearch}
      nothing={say.bindNothing}
      found={fitting(all, text)}
      text={text}
      onText={setText}
      onPick={({ key }) => onPick(key)}
      onClose={onClose}
    />
  )
}
