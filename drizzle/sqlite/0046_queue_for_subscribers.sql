DROP INDEX `audit_entries_consent`;--> statement-breakpoint
CREATE INDEX `audit_entries_consent` ON `audit_entries` (`tenant_id`,`record_id`,`number`) WHERE ("audit_entries"."action" = 'contact.subscribed' OR "audit_entries"."action" = 'contact.unsubscribed' OR "audit_entries"."action" = 'contact.group_joined' OR "audit_entries"."action" = 'contact.group_left');--> statement-breakpoint
DROP TRIGGER `events_queued`;
--> statement-breakpoint
CREATE TRIGGER `events_queued` AFTER INSERT ON `events`
WHEN EXISTS (SELECT 1 FROM `webhooks` WHERE `tenant_id` = new.`tenant_id` AND `active` = 1 AND `deleted_at` IS NULL) BEGIN
  INSERT INTO `event_queue` (`number`) VALUES (new.`number`);
END;
