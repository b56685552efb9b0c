import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Input, send, session, useWrite } from '../../api.ts'
import { countryNames } from '../../shown.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { ChoiceField } from '../../ui/choice-field.tsx'
import { useForm } from '../../ui/form.ts'
import { Mark } from '../../ui/mark.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Toasts, say as tell } from '../../ui/toast.tsx'
import { type Language, setLanguage, useLanguage, useWords } from '../../words.ts'
import { welcomeWords } from './words.ts'

/** What is proposed for a country until the person says otherwise. */
const proposed = {
  IL: { currency: 'ILS', timezone: 'Asia/Jerusalem' },
  SG: { currency: 'SGD', timezone: 'Asia/Singapore' },
  US: { currency: 'USD', timezone: 'America/New_York' },
}
type Country = keyof typeof proposed

const countryOfZone = (zone: string): Country =>
  zone === 'Asia/Jerusalem' ? 'IL' : zone === 'Asia/Singapore' ? 'SG' : 'US'

const currencies = ['ILS', 'USD', 'SGD', 'EUR', 'GBP', 'AUD', 'CAD', 'CHF', 'JPY', 'HKD', 'INR', 'MYR']
const currencyNames = (lang: Language): Record<string, string> => {
  const names = new Intl.DisplayNames([lang], { type: 'currency' })
  return Object.fromEntries(currencies.map((code) => [code, `${names.of(code)} (${code})`]))
}
/** All zones, that of the country first. */
const zones = (first: string): Record<string, string> =>
  Object.fromEntries([first, ...Intl.supportedValuesOf('timeZone')].map((zone) => [zone, zone.replaceAll('_', ' ')]))

/** The first steps of somebody without an organization. */
export function Welcome() {
  const say = useWords(welcomeWords)
  const lang = useLanguage()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const create = useWrite('organizations_create')
  const country = countryOfZone(Intl.DateTimeFormat().resolvedOptions().timeZone)
  const initial: Input<'organizations_create'> = { name: '', country, ...proposed[country] }
  const form = useForm({
    initial,
    save: (organization, key) => create.mutateAsync({ ...organization, key }),
    after: async ({ id, name, warnings = [] }) => {
      const doubts = warnings.map(({ message }) => message).join(' ')
      tell(say.created(name), doubts ? { bad: true, description: say.check(doubts) } : {})
      await queries.fetchQuery({ ...session, staleTime: 0 }) // the address of the organization asks it
      await navigate({ to: '/o/$org', params: { org: id } })
    },
  })
  const choose = (next: string) => {
    form.set('country', next as Country)
    form.set('currency', proposed[next as Country].currency)
    form.set('timezone', proposed[next as Country].timezone)
  }
  return (
    <main className="min-h-dvh grid place-content-center p-4">
      <form
        noValidate
        className="w-[min(30rem,calc(100vw-2rem))] grid gap-4 bg-card border border-rule rounded-xl p-6"
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit()
        }}
      >
        <Mark />
        <div>
          <h1 className="font-serif text-xl font-semibold">{say.title}</h1>
          <p className="text-soft">{say.hint}</p>
        </div>
        {form.problem && <Alert>{form.problem}</Alert>}
        <ChoiceField
          {...form.at('country')}
          onChange={choose}
          label={say.country}
          hint={say.countryHint}
          options={countryNames(lang, Object.keys(proposed))}
        />
        <TextField {...form.at('name')} label={say.name} hint={say.nameHint} autoFocus />
        <TextField {...form.at('registrationNumber')} label={say.number} dir="ltr" inputMode="numeric" />
        <TextField {...form.at('taxNumber')} label={say.taxNumber} hint={say.taxNumberHint} dir="ltr" />
        <ChoiceField {...form.at('currency')} label={say.currency} options={currencyNames(lang)} />
        <ChoiceField
          {...form.at('timezone')}
          label={say.zone}
          options={zones(proposed[form.values.country].timezone)}
        />
        <Button look="primary" type="submit" busy={form.busy}>
          {say.save}
        </Button>
      </form>
      <WayOut />
      <Toasts />
    </main>
  )
}

/** For somebody who waits for an invitation, is here by mistake, or reads another language. */
function WayOut() {
  const say = useWords(welcomeWords)
  const lang = useLanguage()
  const navigate = useNavigate()
  const queries = useQueryClient()
  async function look() {
    const { organizations } = await queries.fetchQuery({ ...session, staleTime: 0 })
    if (organizations.length > 0) await navigate({ to: '/app' })
    else tell(say.notYet)
  }
  async function leave() {
    await send('POST', '/api/auth/sign-out')
    location.assign('/sign-in')
  }
  return (
    <div className="grid gap-2 pt-4 text-soft w-[min(30rem,calc(100vw-2rem))]">
      <p>{say.waiting}</p>
      <div className="flex flex-wrap gap-1">
        <Button look="quiet" icon="refresh" onPress={() => void look()}>
          {say.look}
        </Button>
        <Button look="quiet" icon="language" onPress={() => setLanguage(lang === 'he' ? 'en' : 'he')}>
          {lang === 'he' ? 'English' : 'עברית'}
        </Button>
        <Button look="quiet" icon="leave" onPress={() => void leave()}>
          {say.signOut}
        </Button>
      </div>
    </div>
  )
}
