import { type Someone, theApp } from '../world.ts'

/** The PDF of a payslip as a client gets it. */
export async function printedPayslip(someone: Someone, id: string, query = '', path = '/api/payroll/payslips') {
  const url = `${path}/${id}/pdf${query}`
  const answer = await theApp().server.inject({ method: 'GET', url, headers: { ...someone.credentials } })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}
