/**
 * Sends forms as JSON, shows errors beside their fields and opens the next page. This is a fragment: assets.ts joins it with
 * the scripts of the account or the document pages, which use the functions declared here.
 */
export const formScript = `
  const main = document.querySelector('main')
  const words = JSON.parse(main.dataset.words)
  const lang = document.documentElement.lang

  /** Functions by the name in data-submit-by, which replace posting the form, and in data-after, which handle the answer. */
  const submitBy = {}
  const after = {}

  /** Links in e-mails carry a token. It is stored for this tab and removed from the URL at once. */
  const here = new URL(location.href)
  const tokenKey = 'token ' + here.pathname
  if (here.searchParams.has('token')) {
    sessionStorage.setItem(tokenKey, here.searchParams.get('token'))
    here.searchParams.delete('token')
    if (main.dataset.step) here.searchParams.set('step', main.dataset.step)
    history.replaceState(null, '', here)
  }

  const refusal = (status, error, retryAfterS) => Object.assign(new Error(error.message), { status, error, retryAfterS })
  const codeOf = ({ error }) => error?.details?.[0]?.code ?? error?.code

  const ask = async (method, path, sent) => {
    let answer
    let body
    try {
      // An account and the letters about it are in the language of the page, whatever the browser prefers.
      const headers = { accept: 'application/json', 'accept-language': lang, ...(sent && { 'content-type': 'application/json' }) }
      answer = await fetch(path, { method, headers, body: sent && JSON.stringify(sent) })
      body = await answer.json()
    } catch {
      throw Object.assign(new Error(words.failed), { unreachable: true })
    }
    if (!answer.ok) throw refusal(answer.status, body.error, answer.headers.get('retry-after'))
    return body
  }

  const valuesOf = (form) => {
    const fields = [...new FormData(form)].filter(([, value]) => value !== '')
    const values = fields.map(([name, value]) => [name, form.elements.namedItem(name).type === 'checkbox' ? true : value])
    if (!('token' in form.dataset)) return Object.fromEntries(values)
    const token = sessionStorage.getItem(tokenKey)
    if (!token) throw refusal(400, { message: words.problems.LINK, details: [{ path: 'token', code: 'LINK' }] })
    return { ...Object.fromEntries(values), token }
  }

  const post = (form) => ask('POST', form.getAttribute('action'), valuesOf(form))

  const sentenceOf = (problem, detail) => {
    if (problem.unreachable) return words.failed
    if (problem instanceof DOMException) return browserMessage(problem)
    if (problem.status === 429) return words.tooMany.replace('{n}', problem.retryAfterS)
    const known = words.problems[detail?.code ?? codeOf(problem)]
    return known ?? (lang === 'en' ? (detail?.message ?? problem.message) : words.wrong)
  }

  /** Browsers refuse passkeys at a numeric address, so the message names the same server as localhost. */
  const browserMessage = ({ name }) => {
    const numeric = /^(127\\.|\\[)/.test(location.hostname)
    if (name === 'SecurityError' && numeric) {
      const address = location.protocol + '//localhost' + (location.port && ':' + location.port) + location.pathname
      return words.problems.NUMERIC_ADDRESS.replace('{address}', address)
    }
    return words.problems[name] ?? words.wrong
  }

  /** The fields that these error codes belong to, since their details name no path. */
  const fieldsOf = { WRONG_PASSWORD: ['currentPassword', 'password'], WRONG_CODE: ['code'], ALREADY_EXISTS: ['email'] }

  const show = (form, problem) => {
    const details = problem.error?.details ?? []
    const beside = details.flatMap((detail) => {
      const names = [detail.path, ...(fieldsOf[detail.code] ?? [])].filter(Boolean)
      const field = names.map((name) => form.elements.namedItem(name)).find((found) => found?.id)
      return field ? [{ field, detail }] : []
    })
    for (const { field, detail } of beside) {
      const element = document.getElementById(field.id + '-problem')
      element.textContent = sentenceOf(problem, detail)
      element.hidden = false
      field.setAttribute('aria-invalid', 'true')
    }
    beside[0]?.field.focus()
    if (beside.length > 0) return
    const element = form.querySelector('.problem[role=alert]')
    element.textContent = sentenceOf(problem)
    element.hidden = false
  }

  const clear = (form) => {
    for (const element of form.querySelectorAll('.problem')) element.hidden = true
    for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
  }

  /** Shows the field for the second factor. False if it is already shown, so that the error is displayed instead. */
  const showCodeField = (form) => {
    const second = form.querySelector('.second')
    if (!second?.disabled) return false
    second.disabled = false
    second.hidden = false
    second.querySelector('input').focus()
    return true
  }

  const openNext = (_, form) => {
    location.assign(form.dataset.next)
    return new Promise(() => {}) // the button stays disabled until the next page loads
  }

  const valueAt = (answer, path) => path.split('.').reduce((found, key) => found?.[key], answer)

  /** Fills in values of the answer, and shows the parts that depend on one: data-if for a value, data-unless for none. */
  const fill = (element, answer) => {
    for (const part of element.querySelectorAll('[data-fill]')) {
      const value = valueAt(answer, part.dataset.fill)
      part.textContent = words[part.dataset.fill]?.[value] ?? value ?? ''
    }
    for (const part of element.querySelectorAll('[data-if]')) part.hidden = !valueAt(answer, part.dataset.if)
    for (const part of element.querySelectorAll('[data-unless]')) part.hidden = !!valueAt(answer, part.dataset.unless)
  }

  after.done = (answer, form) => {
    sessionStorage.removeItem(tokenKey)
    const room = form.parentElement
    const done = room.querySelector('.done')
    fill(done, answer)
    for (const part of [form, room.querySelector('.before')]) if (part) part.hidden = true
    done.hidden = false
    done.focus()
  }

  const send = async (form) => {
    const button = form.querySelector('button')
    clear(form)
    if (form.dataset.confirm && !confirm(form.dataset.confirm)) return
    button.disabled = true
    try {
      const answer = await (submitBy[form.dataset.submitBy] ?? post)(form)
      await (after[form.dataset.after] ?? openNext)(answer, form)
    } catch (problem) {
      if (codeOf(problem) === 'SECOND_FACTOR' && showCodeField(form)) return
      show(form, problem)
      if (!problem.error && !problem.unreachable && !(problem instanceof DOMException)) reportError(problem)
    } finally {
      button.disabled = false
    }
  }

  document.addEventListener('submit', (event) => {
    event.preventDefault()
    send(event.target)
  })

  // A page from the back/forward cache comes back with its buttons still disabled.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const button of document.querySelectorAll('button:disabled')) button.disabled = false
  })
`
