// Preloaded into a process (node --import) to set its clock wrong by SKEW_MS: what `date -s` would do to a machine.
const skewMs = Number(process.env.SKEW_MS ?? 0)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + skewMs] : given))
  }
  static now() {
    return RealDate.now() + skewMs
  }
}
