/**
 * Sends forms as JSON, shows what is wrong beside the field it is about, and goes on. A fragment: it and those of passkeys
 * and the account are one script, and share what is declared here.
 */
export const formScript = `
  const main = document.querySelector('main')
  const words = JSON.parse(main.dataset.words)
  const lang = document.documentElement.lang

  /** What is done in place of posting a form's fields, and with the answer, by the name that the form gives it. */
  const by = {}
  const after = {}

  /** A token comes in the address of a letter's link; it is kept for this tab and taken out of the address at once. */
  const here = new URL(location.href)
  const tokenOf = 'token ' + here.pathname
  if (here.searchParams.has('token')) {
    sessionStorage.setItem(tokenOf, here.searchParams.get('token'))
    here.searchParams.delete('token')
    if (main.dataset.step) here.searchParams.set('step', main.dataset.step)
    history.replaceState(null, '', here)
  }

  const refusal = (status, error, waitS) => Object.assign(new Error(error.message), { status, error, waitS })
  const codeOf = ({ error }) => error?.details?.[0]?.code ?? error?.code

  const ask = async (method, path, body) => {
    let answer
    let told
    try {
      const type = body && { 'content-type': 'application/json' }
      answer = await fetch(path, { method, headers: { accept: 'application/json', ...type }, body: body && JSON.stringify(body) })
      told = await answer.json()
    } catch {
      throw Object.assign(new Error(words.failed), { unreachable: true })
    }
    if (!answer.ok) throw refusal(answer.status, told.error, answer.headers.get('retry-after'))
    return told
  }

  const given = (form) => {
    const fields = [...new FormData(form)].filter(([, value]) => value !== '')
    const answers = fields.map(([name, value]) => [name, form.elements.namedItem(name).type === 'checkbox' ? true : value])
    if (!('token' in form.dataset)) return Object.fromEntries(answers)
    const token = sessionStorage.getItem(tokenOf)
    if (!token) throw refusal(400, { message: words.problems.LINK, details: [{ path: 'token', code: 'LINK' }] })
    return { ...Object.fromEntries(answers), token }
  }

  const post = (form) => ask('POST', form.getAttribute('action'), given(form))

  const sentenceOf = (problem, detail) => {
    if (problem.unreachable) return words.failed
    if (problem instanceof DOMException) return browserSays(problem)
    if (problem.status === 429) return words.tooMany.replace('{n}', problem.waitS)
    const known = words.problems[detail?.code ?? codeOf(problem)]
    return known ?? (lang === 'en' ? (detail?.message ?? problem.message) : words.wrong)
  }

  /** A browser says no to passkeys at a numeric address; the same server has a name. */
  const browserSays = ({ name }) => {
    const numeric = /^(127\\.|\\[)/.test(location.hostname)
    if (name === 'SecurityError' && numeric) {
      const address = location.protocol + '//localhost' + (location.port && ':' + location.port) + location.pathname
      return words.problems.NUMERIC_ADDRESS.replace('{address}', address)
    }
    return words.problems[name] ?? words.wrong
  }

  /** The field that a refusal is about, where it does not say so itself. */
  const fieldsOf = { WRONG_PASSWORD: ['currentPassword', 'password'], WRONG_CODE: ['code'], ALREADY_EXISTS: ['email'] }

  const show = (form, problem) => {
    const details = problem.error?.details ?? []
    const beside = details.flatMap((detail) => {
      const names = [detail.path, ...(fieldsOf[detail.code] ?? [])].filter(Boolean)
      const field = names.map((name) => form.elements.namedItem(name)).find((found) => found?.id)
      return field ? [{ field, detail }] : []
    })
    for (const { field, detail } of beside) {
      const place = document.getElementById(field.id + '-problem')
      place.textContent = sentenceOf(problem, detail)
      place.hidden = false
      field.setAttribute('aria-invalid', 'true')
    }
    beside[0]?.field.focus()
    if (beside.length > 0) return
    const place = form.querySelector('.problem[role=alert]')
    place.textContent = sentenceOf(problem)
    place.hidden = false
  }

  const clear = (form) => {
    for (const place of form.querySelectorAll('.problem')) place.hidden = true
    for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid')
  }

  /** The password was right and is not enough: asks for the code, once. */
  const askForCode = (form) => {
    const second = form.querySelector('.second')
    if (!second?.disabled) return false
    second.disabled = false
    second.hidden = false
    second.querySelector('input').focus()
    return true
  }

  const follow = (_, form) => {
    location.assign(form.dataset.next)
    return new Promise(() => {}) // busy until the next page is here
  }

  const fill = (place, answer) => {
    for (const part of place.querySelectorAll('[data-fill]')) {
      const value = part.dataset.fill.split('.').reduce((found, key) => found?.[key], answer)
      part.textContent = words[part.dataset.fill]?.[value] ?? value ?? ''
    }
  }

  after.done = (answer, form) => {
    sessionStorage.removeItem(tokenOf)
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
    if (form.dataset.sure && !confirm(form.dataset.sure)) return
    button.disabled = true
    try {
      const answer = await (by[form.dataset.by] ?? post)(form)
      await (after[form.dataset.after] ?? follow)(answer, form)
    } catch (problem) {
      if (codeOf(problem) === 'SECOND_FACTOR' && askForCode(form)) return
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

  // A page that the browser kept is shown again as it was left: busy.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) for (const button of document.querySelectorAll('button:disabled')) button.disabled = false
  })
`
