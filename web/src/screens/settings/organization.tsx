import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Output, read, useWrite } from '../../api.ts'
import { useNumberNames } from '../../country.ts'
import { useMay, useOrganization } from '../../session.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Skeleton } from '../../ui/card.tsx'
import { ChoiceField } from '../../ui/forms/choice-field.tsx'
import { DayField } from '../../ui/forms/day-field.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { LongField, TextField } from '../../ui/forms/text-field.tsx'
import { ZoneField } from '../../ui/forms/zone-field.tsx'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { Problem } from '../../ui/problem.tsx'
import { choiceOf } from '../../ui/schema/schema-words.ts'
import { Facts } from '../../ui/values/facts.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { DeleteOrganization } from './delete.tsx'
import { SettingsPage } from './layout.tsx'
import { Logo } from './logo.tsx'
import { settingsWords } from './words.ts'

/** The organization: its facts, its logo, and how its documents are made. Each part is saved by itself. */
export function OrganizationSettings() {
  const say = useWords(settingsWords)
  const { id } = useOrganization()
  const facts = useQuery(read('organizations_get', { id }))
  const settings = useQuery(read('settings_get', { id }))
  const error = facts.error ?? settings.error
  return (
    <SettingsPage title={say.sections.organization}>
      {error && (!facts.data || !settings.data) && <Problem error={error} onAgain={() => void facts.refetch()} />}
      {facts.data ? <FactsForm organization={facts.data} /> : !error && <Skeleton className="h-80" />}
      {settings.data && <Logo fileId={settings.data.logoFileId} />}
      {settings.data ? <SettingsForm settings={settings.data} /> : !error && <Skeleton className="h-60" />}
      {settings.data && <Numbering settings={settings.data} />}
      {facts.data && <DeleteOrganization />}
    </SettingsPage>
  )
}

type Sending = { busy: boolean; problem: string; dirty: boolean; submit: () => Promise<void> }

const Section = ({
  title,
  hint,
  form,
  children,
}: {
  title: string
  hint?: string
  form: Sending
  children: ReactNode
}) => {
  const say = useWords(settingsWords)
  return (
    <Card title={title}>
      <form
        noValidate
        className="p-4 pt-2 grid gap-4 max-w-[36rem]"
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit()
        }}
      >
        {hint && <p className="text-soft">{hint}</p>}
        {form.problem && <Alert>{form.problem}</Alert>}
        {children}
        <div>
          <Button look="primary" type="submit" busy={form.busy} isDisabled={!form.dirty}>
            {say.save}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function FactsForm({ organization }: { organization: Output<'organizations_get'> }) {
  const say = useWords(settingsWords)
  const may = useMay()
  const update = useWrite('organizations_update', ['organizations', 'session'])
  const { id, name, country, registrationNumber, taxNumber, address, phone, email, timezone, currency } = organization
  const lang = useLanguage()
  const numbers = useNumberNames(country)
  const form = useForm({
    initial: { id, name, registrationNumber, taxNumber, address, phone, email, timezone },
    save: (values, key) => update.mutateAsync({ ...values, key }),
    after: () => tell(say.saved),
  })
  if (!may('organizations_update'))
    return (
      <Card title={say.facts} className="p-4">
        <Facts
          of={[
            [say.name, name],
            [numbers.registration.label[lang], registrationNumber],
            [numbers.tax.label[lang], taxNumber],
            [say.address, address],
            [say.currency, currency],
          ]}
        />
      </Card>
    )
  return (
    <Section title={say.facts} hint={say.factsHint} form={form}>
      <TextField {...form.at('name')} label={say.name} />
      <TextField {...form.at('registrationNumber')} label={numbers.registration.label[lang]} dir="ltr" />
      <TextField
        {...form.at('taxNumber')}
        label={numbers.tax.label[lang]}
        hint={numbers.tax.hint?.[lang] ?? ''}
        dir="ltr"
      />
      <LongField {...form.at('address')} label={say.address} />
      <TextField {...form.at('phone')} label={say.phone} type="tel" dir="ltr" />
      <TextField {...form.at('email')} label={say.email} type="email" dir="ltr" />
      <ZoneField {...form.at('timezone')} label={say.zone} first={[timezone]} />
    </Section>
  )
}

function SettingsForm({ settings }: { settings: Output<'settings_get'> }) {
  const say = useWords(settingsWords)
  const may = useMay()
  const { id: organization } = useOrganization()
  const update = useWrite('settings_update')
  const { senderName, language, lockedUntil, requireApproval, defaultTaxRate } = settings
  const form = useForm({
    initial: { senderName, language, lockedUntil, requireApproval, defaultTaxRate },
    save: (values, key) => update.mutateAsync({ id: organization, ...values, key }),
    after: () => tell(say.saved),
  })
  if (!may('settings_update')) return null
  const { defaultTaxRate: rate } = form.values
  return (
    <Section title={say.defaults} form={form}>
      <TextField {...form.at('senderName')} label={say.senderName} />
      <ChoiceField {...form.at('language')} label={say.language} options={say.languages} />
      <TextField
        label={say.taxRate}
        value={rate === null || rate === undefined ? '' : String(rate)}
        onChange={(text) => form.set('defaultTaxRate', text.trim() === '' ? null : Number(text))}
        error={form.errors.defaultTaxRate}
        inputMode="decimal"
        dir="ltr"
      />
      <Field label={say.lockedUntil} hint={say.lockedHint} error={form.errors.lockedUntil}>
        <DayField value={form.values.lockedUntil ?? ''} onDay={(day) => form.set('lockedUntil', day)} />
      </Field>
      <ChoiceField
        label={say.approval}
        value={form.values.requireApproval ? 'yes' : 'no'}
        onChange={(value) => form.set('requireApproval', value === 'yes')}
        error={form.errors.requireApproval}
        options={say.approvals}
      />
    </Section>
  )
}

function Numbering({ settings }: { settings: Output<'settings_get'> }) {
  const say = useWords(settingsWords)
  const lang = useLanguage()
  const series = settings.numbering as readonly Record<string, unknown>[]
  return (
    <Card title={say.numbering}>
      <ul className="p-4 pt-2 grid gap-1.5">
        {series.map((each, at) => (
          <li key={at} className="flex flex-wrap justify-between gap-3">
            <span>{choiceOf(lang, String(each.documentType ?? each.type ?? each.kind ?? ''))}</span>
            <span className="text-soft">
              {say.next} <bdi className="tabular-nums text-ink">{String(each.next ?? each.nextNumber ?? '')}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
