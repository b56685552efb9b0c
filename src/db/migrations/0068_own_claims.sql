-- An employee who is linked to a person is that person, whatever e-mail address the employee has: nobody approves a claim of their own.
create or replace function note_claimant()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  new.claimed_by := array(
    select unnest(new.claimed_by)
    union select unnest(old.claimed_by) where tg_op = 'UPDATE'
    union select u.id from employees p join users u on lower(u.email) = lower(p.email)
      where p.organization_id = new.organization_id and p.id = new.claimant_id
    union select u.id from customers c join users u on lower(u.email) = lower(c.email)
      where c.organization_id = new.organization_id and c.id = new.claimant_id
    union select e.user_id from employees e
      where e.organization_id = new.organization_id and e.id = new.claimant_id and e.user_id is not null
    order by 1);
  return new;
end $function$;
