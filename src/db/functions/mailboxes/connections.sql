-- Guards the secrets of a mailbox: they are sent only to the server that they were given for.

-- Refuses to use a stored password or token with another server or account than the one it was given for (THR-19).
create or replace function keep_mail_secrets_at_their_server() returns trigger language plpgsql as $$
begin
  if (new.provider, new.host, new.port, new.use_tls, new.username) is distinct from (old.provider, old.host, old.port, old.use_tls, old.username) then
    if new.password is not distinct from old.password then new.password := null; end if;
    if new.tokens is not distinct from old.tokens then
      new.tokens := null;
      new.token_expires_at := null;
    end if;
  end if;
  -- After a change to another mailbox or folder, nothing of it is read yet, and the positions in it mean other messages.
  if (new.provider, new.host, new.port, new.username, new.folder_or_label) is distinct from
     (old.provider, old.host, old.port, old.username, old.folder_or_label) then
    new.last_polled_at := null;
    delete from mail_places p where p.organization_id = new.organization_id and p.connection_id = new.id;
  end if;
  return new;
end $$;

create or replace trigger keep_mail_secrets_at_their_server before update on mail_connections
  for each row execute function keep_mail_secrets_at_their_server();
