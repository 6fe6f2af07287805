import type { Translation } from '../../../../words/sentences.ts'
import type { peopleRules as english } from '../../en/rules/people.ts'

export const peopleRules: Translation<typeof english> = {
  rule_user_taken: 'Mit dieser E-Mail meldet sich schon jemand an.',
  rule_user_elsewhere:
    'Mit dieser E-Mail melden Sie sich hier schon für jemand anderen an. Bitten Sie um eine Einladung an eine andere Adresse von Ihnen.',
  rule_user_unknown: 'Diese Person arbeitet hier nicht mehr.',
  rule_admin_needed: 'Jemand muss Administrator sein. Geben Sie zuerst jemand anderem diese Rolle.',
  rule_oneself: 'Sie können sich nicht selbst entfernen. Bitten Sie einen anderen Administrator darum.',
  rule_password_length: 'Muss {least} bis {most} Zeichen haben.',
  rule_guessed: 'Zu leicht zu erraten: Fügen Sie ein, zwei Wörter hinzu, die dort niemand erwartet.',
  rule_guessed_repeat: 'Zu leicht zu erraten: Es wiederholt sich. Besser sind ein paar Wörter hintereinander.',
  rule_guessed_row:
    'Zu leicht zu erraten: Die Zeichen folgen aufeinander, im Alphabet oder auf der Tastatur. Besser sind ein paar Wörter hintereinander.',
  rule_guessed_often: 'Zu leicht zu erraten: Viele haben ein ähnliches, deshalb wird es zuerst versucht.',
  rule_guessed_names:
    'Zu leicht zu erraten: Es besteht aus Namen. Fügen Sie Wörter hinzu, die nichts miteinander zu tun haben.',
  rule_guessed_own:
    'Zu leicht zu erraten: Es enthält Ihren Namen, Ihre Adresse oder den Namen der Firma. Lassen Sie das weg, oder fügen Sie Wörter hinzu, die nichts damit zu tun haben.',
  rule_guessed_days: 'Zu leicht zu erraten: Es besteht aus Daten oder Jahreszahlen.',
  rule_guessed_word:
    'Zu leicht zu erraten: Es ist ein einzelnes Wort. Fügen Sie andere hinzu, die nichts damit zu tun haben.',
  rule_code: 'Das ist nicht der Code, den die App gerade zeigt. Geht die Uhr Ihres Telefons richtig?',
  rule_passkey: 'Der Passkey ließ sich nicht prüfen. Versuchen Sie es noch einmal.',
  rule_passkey_known: 'Diesen Passkey gibt es schon.',
  rule_too_many_passkeys: 'Es kann höchstens {most} Passkeys geben. Entfernen Sie erst einen.',
  rule_scopes: 'Wählen Sie mindestens eines.',
  rule_scopes_not: 'Wählen Sie mindestens eines.',
  rule_too_many_keys: 'Es gibt {most} gültige Schlüssel, und mehr kann es nicht geben. Widerrufen Sie erst einen.',
  rule_delivery_under_way: 'Diese Zustellung ist noch unterwegs.',
  rule_replay_under_way:
    'An diesen Webhook werden schon Ereignisse noch einmal gesendet. Warten Sie, bis das fertig ist.',
  rule_delivery_not_waiting:
    'Diese Zustellung wartet auf keinen Versuch: Sie ist beendet, angehalten oder wird gerade gesendet.',
  rule_inbox_taken: 'Es gibt schon einen Posteingang mit dieser Adresse.',
  rule_inbox_no_address: 'Nur Posteingänge für E-Mail haben eine Adresse.',
  rule_inbox_archived: 'Dieser Posteingang ist archiviert: Neues beginnt dort nicht.',
  rule_inbox_not_empty:
    'In diesem Posteingang liegen Tickets oder E-Mails in Quarantäne. Archivieren Sie ihn stattdessen.',
  rule_inbox_of_chat: 'Ein Live-Chat nutzt diesen Posteingang.',
  rule_inbox_unknown: 'Diesen Posteingang gibt es nicht.',
  rule_inbox_livechat: 'Muss ein Posteingang für Live-Chats sein.',
  rule_inbox_email: 'Muss ein Posteingang für E-Mail sein.',
  rule_inbox_mailbox: 'Nur Posteingänge für E-Mail haben ein Postfach.',
  rule_workspace_unknown: 'Diesen Arbeitsbereich gibt es nicht.',
  rule_hours_like: 'Müssen Tage, Zeiten und eine Zeitzone sein, etwa Mon-Fri 09:00-17:00 Europe/Berlin.',
  rule_hours_days_and_times: 'Müssen Tage, Zeiten und eine Zeitzone sein, etwa Mon-Fri 09:00-17:00 Europe/Berlin.',
  rule_hours_days: 'Müssen Tage, Zeiten und eine Zeitzone sein, etwa Mon-Fri 09:00-17:00 Europe/Berlin.',
  rule_hours_day: 'Müssen Tage, Zeiten und eine Zeitzone sein, etwa Mon-Fri 09:00-17:00 Europe/Berlin.',
  rule_hours_times: 'Müssen Tage, Zeiten und eine Zeitzone sein, etwa Mon-Fri 09:00-17:00 Europe/Berlin.',
  rule_hours_time: 'Müssen Tage, Zeiten und eine Zeitzone sein, etwa Mon-Fri 09:00-17:00 Europe/Berlin.',
  rule_time_zone: 'Das letzte Wort muss eine Zeitzone sein, etwa Europe/Berlin oder UTC.',
}
