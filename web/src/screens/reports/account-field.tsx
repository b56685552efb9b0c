import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api.ts'
import { useOrganization } from '../../session.ts'
import { Combo } from '../../ui/forms/combo.tsx'
import type { SchemaValue } from '../../ui/schema/schema-form.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { reportWords } from './words.ts'

/** An account, found by its number or name. */
export function AccountField({ each }: { each: SchemaValue }) {
  const say = useWords(reportWords)
  const lang = useLanguage()
  const { id: organizationId } = useOrganization()
  const [typed, setTyped] = useState('')
  const { data } = useQuery(read('reports_accounts', { organizationId }))
  const all = (data?.accounts ?? []).map(({ code, name, nameHe }) => ({
    id: code,
    name: `${code} ${(lang === 'he' && nameHe) || name}`,
  }))
  const chosen = all.find(({ id }) => id === each.value) ?? null
  const wanted = typed.trim().toLocaleLowerCase(lang)
  return (
    <Combo
      value={chosen}
      items={all.filter(({ name }) => name.toLocaleLowerCase(lang).includes(wanted))}
      onSearch={setTyped}
      onPick={({ id }) => each.onChange(id)}
      placeholder={say.account}
      empty={say.noAccount}
    />
  )
}
