import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, type Input, type Output, session } from '../api.ts'
import { setLetters } from '../keys.ts'
import { languageOfAddress } from '../language.ts'
import { changeLanguage, currentLanguage } from '../words.ts'
import { applyTheme } from './theme.ts'

type Preferences = Output<'preferences_get'>

let named = languageOfAddress()

/** Shows the app as the person wants it. */
export function applyPreferences({ language, theme, keyboardLetters }: Preferences) {
  const wanted = named ?? language
  if (wanted !== currentLanguage()) void changeLanguage(wanted)
  applyTheme(theme)
  setLetters(keyboardLetters)
}

type Choice = Pick<Input<'preferences_update'>, 'language' | 'theme' | 'keyboardLetters'>

/** How the person wants the app, and how they change it: at once here, and stored for their next visit anywhere. */
export function usePreferences() {
  const queries = useQueryClient()
  const { data } = useQuery(session)
  function change(changes: Choice) {
    if (!data) return
    if (changes.language) named = undefined
    const preferences = { ...data.user.preferences, ...changes } as Preferences
    applyPreferences(preferences)
    queries.setQueryData(session.queryKey, { ...data, user: { ...data.user, preferences } })
    void call('preferences_update', changes, { keepalive: true }).catch(() =>
      queries.invalidateQueries({ queryKey: session.queryKey }),
    )
  }
  return { preferences: data?.user.preferences, change }
}
