/** Sends the person's answer as JSON and goes where the server says next. */
export const consentScript = `(() => {
  const form = document.querySelector('form.consent')
  if (!form) return
  const problem = form.querySelector('.problem')
  const buttons = [...form.querySelectorAll('button')]

  /** In the reader's language, by the code of the refusal or the field it is about. */
  const sentenceOf = ({ code, message, details: [detail] = [] }) => {
    const known = JSON.parse(form.dataset.problems)
    return known[detail?.code] ?? known[detail?.path] ?? known[code] ?? message
  }

  const answer = async (approve) => {
    problem.hidden = true
    for (const button of buttons) button.disabled = true
    try {
      const organizationIds = [...form.querySelectorAll('input:checked')].map((input) => input.value)
      const reply = await fetch(location.pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(approve ? { approve, organizationIds } : { approve }),
      })
      const told = await reply.json()
      if (!reply.ok) throw new Error(sentenceOf(told.error))
      location.assign(told.next)
    } catch (error) {
      problem.textContent = error instanceof TypeError || error instanceof SyntaxError ? form.dataset.failed : error.message
      problem.hidden = false
      for (const button of buttons) button.disabled = false
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    answer(event.submitter?.value !== 'deny')
  })
})()
`
