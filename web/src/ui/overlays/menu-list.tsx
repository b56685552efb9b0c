import { Menu as Base, MenuItem, MenuTrigger, Popover, Separator } from 'react-aria-components/Menu'
import { Kbd } from '../button.tsx'
import { Icon } from '../icon.tsx'
import type { MenuProps } from './menu.tsx'

export const MenuList = ({ trigger, entries, align = 'end', open }: MenuProps & { open: boolean }) => (
  <MenuTrigger defaultOpen={open}>
    {trigger}
    <Popover
      placement={align === 'end' ? 'bottom end' : 'bottom start'}
      offset={4}
      className="floating entering:opacity-0 exiting:hidden"
    >
      <Base className="p-1 min-w-52 outline-none">
        {entries.map((entry, at) =>
          entry === 'rule' ? (
            <Separator key={at} className="my-1 border-t border-rule" />
          ) : (
            <MenuItem
              key={at}
              isDisabled={entry.disabled ?? false}
              onAction={entry.on}
              textValue={entry.text ?? (typeof entry.label === 'string' ? entry.label : '')}
              className={`flex items-center gap-2.5 rounded-md h-8 pointer-coarse:h-11 px-2 outline-none focused:bg-tint disabled:opacity-50 ${entry.danger ? 'text-danger' : ''}`}
            >
              {entry.icon ? (
                <Icon name={entry.icon} className={entry.danger ? '' : 'text-soft'} />
              ) : (
                <span className="w-4">{entry.checked && <Icon name="check" />}</span>
              )}
              <span className="flex-1">{entry.label}</span>
              {entry.keys && <Kbd>{entry.keys}</Kbd>}
            </MenuItem>
          ),
        )}
      </Base>
    </Popover>
  </MenuTrigger>
)
