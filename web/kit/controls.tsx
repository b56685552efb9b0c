import { useState } from 'react'
import { Button, Kbd } from '../src/ui/button.tsx'
import { ChoiceField } from '../src/ui/forms/choice-field.tsx'
import { Combo } from '../src/ui/forms/combo.tsx'
import { DayField } from '../src/ui/forms/day-field.tsx'
import { Field } from '../src/ui/forms/field.tsx'
import { NumberField } from '../src/ui/forms/number-field.tsx'
import { Switch } from '../src/ui/forms/switch.tsx'
import { LongField, TextField } from '../src/ui/forms/text-field.tsx'
import { Ask, Dialog } from '../src/ui/overlays/dialog.tsx'
import { Menu } from '../src/ui/overlays/menu.tsx'
import { say as tell } from '../src/ui/overlays/toast.tsx'
import { CopyBlock } from '../src/ui/values/copy-block.tsx'
import { useWords } from '../src/words.ts'
import { Part, Row, Sheet } from './sheet.tsx'
import { kitWords } from './words.ts'

export function Controls() {
  const say = useWords(kitWords)
  return (
    <Sheet title={say.controls}>
      <Buttons />
      <Fields />
      <Choices />
      <Overlays />
    </Sheet>
  )
}

function Buttons() {
  const say = useWords(kitWords)
  const [on, setOn] = useState(true)
  const nothing = () => {}
  return (
    <Part title={say.buttons}>
      <Row>
        <Button look="primary" icon="plus" keys="c" onPress={nothing}>
          {say.save}
        </Button>
        <Button icon="send" onPress={nothing}>
          {say.send}
        </Button>
        <Button look="quiet" onPress={nothing}>
          {say.more}
        </Button>
        <Button look="danger" onPress={nothing}>
          {say.remove}
        </Button>
      </Row>
      <Row>
        <Button look="primary" busy onPress={nothing}>
          {say.busy}
        </Button>
        <Button isDisabled onPress={nothing}>
          {say.send}
        </Button>
        <Button icon="filter" label={say.more} onPress={nothing} />
        <Kbd>⌘ K</Kbd>
      </Row>
      <Row>
        <Switch label={say.on} on={on} onSwitch={setOn} />
        <Switch label={say.on} on={!on} onSwitch={(next) => setOn(!next)} />
        <Switch label={say.on} on disabled onSwitch={nothing} />
      </Row>
    </Part>
  )
}

function Fields() {
  const say = useWords(kitWords)
  const [name, setName] = useState('')
  const [notes, setNotes] = useState('שלום, thank you.')
  const [day, setDay] = useState('2026-03-31')
  const [amount, setAmount] = useState(1234.5)
  const none = undefined
  return (
    <Part title={say.fields}>
      <TextField value={name} onChange={setName} error={none} label={say.name} hint={say.hint} />
      <TextField value={name} onChange={setName} error={say.refused} label={`${say.name} 2`} />
      <LongField value={notes} onChange={setNotes} error={none} label={say.notes} />
      <div className="grid grid-cols-2 gap-3">
        <Field label={say.day}>
          <DayField value={day} onDay={setDay} />
        </Field>
        <Field label={say.amount}>
          <NumberField label={say.amount} value={amount} onNumber={setAmount} digits={2} className="w-full" />
        </Field>
      </div>
      <p className="sr-only" data-testid="values">
        {`${name}|${day}|${amount}`}
      </p>
    </Part>
  )
}

function Choices() {
  const say = useWords(kitWords)
  const [kind, setKind] = useState<'COMPANY' | 'PERSON' | null>(null)
  const [text, setText] = useState('')
  const [picked, setPicked] = useState('')
  const found = say.customers
    .map((name, at) => ({ id: String(at), name }))
    .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
  return (
    <Part title={say.kind}>
      <ChoiceField value={kind} onChange={setKind} error={undefined} label={say.kind} options={say.kinds} />
      <ChoiceField value="PERSON" onChange={() => {}} error={say.refused} label={`${say.kind} 2`} options={say.kinds} />
      <Field label={say.customer}>
        <Combo
          value={null}
          items={found}
          onSearch={setText}
          onPick={({ name }) => setPicked(name)}
          placeholder={say.find}
          empty={say.nobody}
        />
      </Field>
      <p className="sr-only" data-testid="picked">
        {`${kind ?? ''}|${picked}`}
      </p>
    </Part>
  )
}

function Overlays() {
  const say = useWords(kitWords)
  const [open, setOpen] = useState<'ask' | 'dialog'>()
  const [done, setDone] = useState('')
  return (
    <Part title={say.dialog}>
      <Row>
        <Menu
          trigger={<Button icon="more" label={say.more} />}
          entries={[
            { label: say.duplicate, icon: 'copy', keys: 'd', on: () => setDone('duplicate') },
            { label: say.send, disabled: true, on: () => setDone('send') },
            'rule',
            { label: say.remove, icon: 'trash', danger: true, on: () => setDone('remove') },
          ]}
        />
        <Button onPress={() => setOpen('ask')}>{say.void}</Button>
        <Button onPress={() => setOpen('dialog')}>{say.forms}</Button>
        <Button onPress={() => tell(say.done, { undo: { label: say.undo, on: () => setDone('undone') } })}>
          {say.done}
        </Button>
        <Button onPress={() => tell(say.failed, { bad: true, description: 'INV-0042' })}>{say.failed}</Button>
      </Row>
      <CopyBlock text="curl -H 'Authorization: Bearer …' https://kontor.test/api/customers" label={say.code} />
      <p className="sr-only" data-testid="done">
        {done}
      </p>
      {open === 'ask' && (
        <Ask title={say.ask} act={say.void} danger onAct={() => setOpen(undefined)} onClose={() => setOpen(undefined)}>
          {say.askHint}
        </Ask>
      )}
      {open === 'dialog' && (
        <Dialog title={say.forms} onClose={() => setOpen(undefined)}>
          <TextField value="" onChange={() => {}} error={undefined} label={say.name} autoFocus />
        </Dialog>
      )}
    </Part>
  )
}
