import { type Output, useWrite } from '../../api.ts'
import { problemText } from '../../refusals.ts'
import { useOrganization } from '../../session.ts'
import { say as tell } from '../../ui/overlays/toast.tsx'
import { useLanguage, useWords } from '../../words.ts'
import { authorityWords } from './authority-words.ts'

export type Authority = Output<'integrations_tax_authority_get'>

/** Whether the authority asks a person to sign in there, instead of a token that was copied. */
export const asksPerson = ({ requiredFields }: Authority) => requiredFields.some(({ name }) => name === 'refreshToken')

/** Checks the stored credentials with a request to the authority, and tells the outcome. */
export function useCheck({ integrationId }: Authority) {
  const say = useWords(authorityWords)
  const lang = useLanguage()
  const { id } = useOrganization()
  const write = useWrite('integrations_validate', ['integrations', 'invoices'])
  const run = () =>
    write.mutateAsync({ id, integrationId }).then(
      ({ valid, error, details }) =>
        valid
          ? tell(say.works, details?.simulator === true ? { description: say.simulator } : {})
          : tell(say.states.fails, { bad: true, ...(error && { description: error }) }),
      (error) => tell(problemText(lang, error), { bad: true }),
    )
  return { run, busy: write.isPending }
}
