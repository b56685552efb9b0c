import { useState } from 'react'
import { Refused } from '../src/api.ts'
import { Alert } from '../src/ui/alert.tsx'
import { Button } from '../src/ui/button.tsx'
import { CountryField } from '../src/ui/forms/country-field.tsx'
import { useForm } from '../src/ui/forms/form.ts'
import { TextField } from '../src/ui/forms/text-field.tsx'
import { missingIn, type Schema } from '../src/ui/schema/schema.ts'
import { SchemaForm } from '../src/ui/schema/schema-form.tsx'
import { useWords } from '../src/words.ts'
import { Part, Sheet } from './sheet.tsx'
import { kitWords } from './words.ts'

export function Forms() {
  const say = useWords(kitWords)
  return (
    <Sheet title={say.forms}>
      <Refusing />
      <FromSchema />
    </Sheet>
  )
}

/** A form whose server refuses the address until it has an @. */
function Refusing() {
  const say = useWords(kitWords)
  const [saved, setSaved] = useState('')
  const form = useForm({
    initial: { name: '', email: 'not an address', country: 'SG' as string | null },
    save: async ({ email }) => {
      if (!email.includes('@')) throw refused
      return email
    },
    after: setSaved,
  })
  return (
    <Part title={say.forms}>
      {form.problem && <Alert>{form.problem}</Alert>}
      <TextField {...form.at('name')} label={say.name} />
      <TextField {...form.at('email')} label="E-mail" type="email" dir="ltr" />
      <CountryField {...form.at('country')} label={say.country} first="SG" />
      <div>
        <Button look="primary" busy={form.busy} onPress={() => void form.submit()}>
          {say.save}
        </Button>
      </div>
      <p className="sr-only" data-testid="saved">
        {saved}
      </p>
    </Part>
  )
}

const refused = new Refused(400, {
  code: 'VALIDATION',
  message: 'Not valid.',
  details: [{ path: 'email', message: 'Not an e-mail address.', code: 'FORMAT', params: { format: 'email' } }],
})

const schema: Schema = {
  required: ['amount', 'currency', 'date', 'lines'],
  properties: {
    vendor: { type: 'string' },
    amount: { type: 'number' },
    currency: { type: 'string' },
    date: { type: 'string', format: 'date' },
    paymentMethod: { type: 'string' },
    active: { type: 'boolean' },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        required: ['description'],
        properties: { description: { type: 'string' }, quantity: { type: 'number' } },
      },
    },
    notes: { type: 'string', maxLength: 5000 },
    tags: { type: 'array', items: { type: 'string', enum: ['GOODS', 'SERVICE'] } },
    reference: { type: 'string' },
  },
}

function FromSchema() {
  const say = useWords(kitWords)
  const [value, setValue] = useState<Record<string, unknown>>({
    currency: 'SGD',
    date: '2026-03-16',
    lines: [{ description: 'Diesel' }],
    tags: ['GOODS'],
  })
  const missing = missingIn(schema, value)
  return (
    <Part title={say.schema}>
      <SchemaForm
        schema={schema}
        value={value}
        onChange={setValue}
        errors={Object.fromEntries(missing.map((path) => [path, say.refused]))}
        plain
        first={['vendor', 'amount', 'currency', 'date', 'active', 'lines']}
      />
      <p className="sr-only" data-testid="schema">
        {JSON.stringify(value)}
      </p>
    </Part>
  )
}
