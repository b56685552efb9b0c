// npm run freeze-migrations: adds the checksums of new migrations to src/db/migration-checksums.json.
// A checksum that is there is never rewritten: databases have applied the migration as it was.
import { createHash } from 'node:crypto'
import fs from 'node:fs'

const folder = new URL('../src/db/migrations/', import.meta.url)
const file = new URL('../src/db/migration-checksums.json', import.meta.url)
const known = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {}

const names = fs.readdirSync(folder).filter((name) => name.endsWith('.sql'))
const checksums = Object.fromEntries(names.sort().map((name) => [name, checksumOf(name)]))
const changed = Object.keys(known).filter((name) => known[name] !== checksums[name])
if (changed.length > 0) {
  console.error(`Changed or deleted: ${changed.join(', ')}. Restore these migrations and write a new one instead.`)
  process.exit(1)
}
const added = names.filter((name) => !(name in known))
fs.writeFileSync(file, `${JSON.stringify(checksums, null, 2)}\n`)
console.log(added.length > 0 ? `Frozen: ${added.join(', ')}` : 'Every migration is frozen already.')

/** As src/db/migrate.ts computes it. */
function checksumOf(name) {
  return createHash('sha256')
    .update(fs.readFileSync(new URL(name, folder), 'utf8'))
    .digest('hex')
}
