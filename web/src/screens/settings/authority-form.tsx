import { useState } from 'react'
import { useWrite } from '../../api.ts'
import { useOrganization } from '../../session.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ChoiceField } from '../../ui/forms/choice-field.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { TextField } from '../../ui/forms/text-field.tsx'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { useWords } from '../../words.ts'
import { type Authority, asksPerson, useCheck } from './authority-check.ts'
import { authorityWords } from './authority-words.ts'

/** The fields that an authority asks for. Nothing that was entered before is in them, because the server never shows it. */
export function CredentialsForm({ of, onDone }: { of: Authority; onDone: () => void }) {
  const say = useWords(authorityWords)
  const { id } = useOrganization()
  const write = useWrite('integrations_tax_authority_post', ['integrations', 'invoices'])
  const check = useCheck(of)
  const [missing, setMissing] = useState<readonly string[]>([])
  const initial: { environment: Authority['environment']; credentials: Record<string, string> } = {
    environment: of.environment,
    credentials: {},
  }
  const form = useForm({
    initial,
    save: ({ environment, credentials }, key) =>
      write.mutateAsync({ id, integrationId: of.integrationId, environment, credentials: filled(credentials), key }),
    after: () => {
      onDone()
      if (asksPerson(of) && !form.values.credentials.refreshToken?.trim()) tell(say.nextSignIn)
      else void check.run()
    },
  })
  const { credentials } = form.values
  const submit = () => {
    const empty = of.requiredFields.filter(({ name, required }) => required && !credentials[name]?.trim())
    setMissing(empty.map(({ name }) => name))
    if (empty.length === 0) void form.submit()
  }
  return (
    <Card title={say.enter}>
      <form
        noValidate
        autoComplete="off"
        className="p-4 pt-2 grid gap-4 max-w-[36rem]"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p className="text-soft">
          {say.enterHint} {of.status.exists && say.changeHint}
        </p>
        {form.problem && <Alert>{form.problem}</Alert>}
        <ChoiceField
          {...form.at('environment')}
          label={say.environment}
          options={say.environments}
          hint={form.values.environment === 'sandbox' && say.sandboxHint}
        />
        {of.requiredFields.map(({ name, label, type, required, help }) => (
          <TextField
            key={name}
            label={`${say.fields[name]?.label ?? label}${required ? '' : ` (${say.optional})`}`}
            hint={say.fields[name]?.help ?? help}
            type={type === 'secret' ? 'password' : 'text'}
            autoComplete={type === 'secret' ? 'new-password' : 'off'}
            dir="ltr"
            value={credentials[name]}
            onChange={(value) => form.set('credentials', { ...credentials, [name]: value })}
            error={missing.includes(name) && !credentials[name]?.trim() ? say.missing : undefined}
          />
        ))}
        <div className="flex flex-wrap gap-2">
          <Button look="primary" type="submit" busy={form.busy || check.busy}>
            {say.save}
          </Button>
          {of.status.exists && <Button onPress={onDone}>{say.cancel}</Button>}
        </div>
      </form>
    </Card>
  )
}

/** What was typed, without the fields that were left empty. */
const filled = (credentials: Record<string, string>) =>
  Object.fromEntries(Object.entries(credentials).filter(([, value]) => value.trim() !== ''))
