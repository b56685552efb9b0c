import { useOnline } from '../online.ts'
import { Icon } from '../ui/icon.tsx'
import { useWords, words } from '../words.ts'

const said = words(
  { offline: 'Offline. What you see may be old; what you save is sent when the connection is back.' },
  { offline: 'אין חיבור. ייתכן שהמוצג אינו עדכני; מה שתשמרו יישלח כשהחיבור יחזור.' },
)

/** Says that there is no connection. Reads stay on the page, and writes wait with their key. */
export function OfflineBar() {
  const say = useWords(said)
  const online = useOnline()
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center gap-2 px-4 py-2 bg-warn-wash text-warn">
          <Icon name="offline" />
          {say.offline}
        </p>
      )}
    </div>
  )
}
